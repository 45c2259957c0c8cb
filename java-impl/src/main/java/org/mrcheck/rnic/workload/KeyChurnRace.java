package org.mrcheck.rnic.workload;

import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;

/** Many small regions come and go as fast as they can under small accesses of every kind. */
final class KeyChurnRace implements Race {
  private static final int HOLDINGS = 8;
  private final Holding[] holdings = new Holding[HOLDINGS];

  KeyChurnRace(RaceBench bench) {
    for (int i = 0; i < HOLDINGS; i++) {
      holdings[i] = new Holding(bench);
    }
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 6; i++) {
      Advertisement target = holdings[lane.random.nextInt(HOLDINGS)].advertised();
      if (target == null) {
        continue;
      }
      if (lane.random.nextInt(200) == 0) {
        lane.accessSomewhere(target, 1);
      } else if (target.rights().has(Flag.REMOTE_READ) && lane.random.nextBoolean()) {
        lane.read(target.key(), target.iova(), Math.min(16, target.length()));
      } else if (target.rights().has(Flag.REMOTE_WRITE)) {
        lane.write(target.key(), target.iova(), Math.min(16, target.length()));
      }
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    Holding holding = holdings[lane.ownerRandom.nextInt(HOLDINGS)];
    if (holding.isHeld()) {
      if (lane.ownerRandom.nextInt(8) != 0) {
        holding.withdraw();
        lane.rest(20, 200);
      }
      holding.deregister();
    } else {
      int kind = lane.ownerRandom.nextInt(4);
      holding.register(
          lane.ownerRandom.nextInt(100) == 0 ? lane.bench.foreignPd() : lane.bench.responderPd(),
          lane.ownerRandom.nextInt(16, 512),
          kind == 0
              ? AccessFlags.of(Flag.REMOTE_READ)
              : kind == 1 ? AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE) : Lane.ALL,
          lane.ownerRandom);
      lane.rest(20, 400);
    }
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    for (Holding holding : holdings) {
      if (holding.isHeld()) {
        holding.deregister();
      }
    }
  }
}
