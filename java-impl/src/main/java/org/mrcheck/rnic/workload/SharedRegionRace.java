package org.mrcheck.rnic.workload;

/**
 * All connections write to one region and read from it in long messages; one of their owners
 * deregisters it under all of them.
 */
final class SharedRegionRace implements Race {
  private final Holding shared;

  /** All races of a workload have the same. */
  SharedRegionRace(Holding shared) {
    this.shared = shared;
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Advertisement target = shared.advertised();
      if (target != null) {
        lane.accessSomewhere(target, 24);
      }
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    if (lane.number != 0) {
      lane.rest(500, 2000);
      return;
    }
    shared.register(16 << 10, lane.ownerRandom);
    lane.rest(500, 4000);
    if (lane.ownerRandom.nextBoolean()) {
      shared.withdraw();
    }
    shared.deregister();
  }
}
