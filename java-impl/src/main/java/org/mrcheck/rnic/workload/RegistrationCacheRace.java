package org.mrcheck.rnic.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A registration cache in the responder's application: buffers are registered when they are first
 * used, stay registered when the application has given them back, and are deregistered by the cache
 * when it is full, the least recently used first. The application tells the peer a key, and the
 * cache takes the region away while the peer still uses it: the hazard of such caches. The device
 * does nothing wrong.
 */
final class RegistrationCacheRace implements Race {
  private static final int CAPACITY = 4;
  private static final int BUFFERS = 10;
  private final List<Holding> buffers = new ArrayList<>();
  private final ArrayDeque<Holding> recent = new ArrayDeque<>();

  /** What the peer was told last; the cache does not take it back. */
  private volatile Advertisement told;

  RegistrationCacheRace(RaceBench bench) {
    for (int i = 0; i < BUFFERS; i++) {
      buffers.add(new Holding(bench));
    }
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    Advertisement target = told;
    for (int i = 0; i < 3 && target != null; i++) {
      lane.accessSomewhere(target, 4);
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    Holding wanted = buffers.get(lane.ownerRandom.nextInt(BUFFERS));
    if (!recent.remove(wanted)) {
      if (recent.size() == CAPACITY) {
        recent.removeFirst().deregister();
      }
      wanted.register(4096, lane.ownerRandom);
    }
    recent.addLast(wanted);
    told = wanted.advertised();
    lane.rest(300, 1500);
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    for (Holding holding : recent) {
      holding.deregister();
    }
  }
}
