package org.mrcheck.rnic.workload;

/**
 * Connections are torn down with packets on their way, and their queue pair numbers used again at
 * once: packets of the old connection meet the new one (L90, L91).
 */
final class ReconnectRace implements Race {
  private final Holding holding;

  ReconnectRace(RaceBench bench) {
    holding = new Holding(bench);
  }

  @Override
  public void begin(Lane lane) {
    holding.register(8192, lane.ownerRandom);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    Advertisement target = holding.advertised();
    for (int i = 0; i < 4; i++) {
      lane.accessSomewhere(target, 4);
    }
    if (lane.random.nextInt(4) == 0) {
      Lane.pause(lane.random, 0, 400);
      lane.reconnect();
    } else {
      lane.settle();
    }
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    lane.rest(5000, 20_000);
    holding.deregister();
    holding.register(8192, lane.ownerRandom);
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    holding.deregister();
  }
}
