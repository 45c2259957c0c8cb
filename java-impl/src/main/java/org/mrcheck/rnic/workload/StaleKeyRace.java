package org.mrcheck.rnic.workload;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keys that were told once are used again and again, also long after their deregistration, while
 * the same few indices of the key table are given out anew (rows K2 to K9, L13).
 */
final class StaleKeyRace implements Race {
  private static final int REMEMBERED = 8;
  private final Holding holding;
  private final AtomicReferenceArray<Advertisement> told = new AtomicReferenceArray<>(REMEMBERED);
  private int next;

  StaleKeyRace(RaceBench bench) {
    holding = new Holding(bench);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Advertisement target =
          lane.random.nextInt(24) == 0
              ? told.get(lane.random.nextInt(REMEMBERED))
              : holding.advertised();
      if (target != null) {
        lane.accessSomewhere(target, 4);
      }
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    holding.register(lane.ownerRandom.nextInt(64, 8192), lane.ownerRandom);
    told.set(next++ % REMEMBERED, holding.advertised());
    lane.rest(100, 1500);
    holding.deregister();
    if (lane.ownerRandom.nextInt(4) == 0) {
      lane.rest(50, 300);
    } else {
      holding.withdraw();
    }
  }
}
