package org.mrcheck.rnic.workload;

/** Regions get other pages, rights or domains under accesses (L16 to L19, L48, row D3). */
final class ReregRace implements Race {
  private final Holding holding;

  ReregRace(RaceBench bench) {
    holding = new Holding(bench);
  }

  @Override
  public void begin(Lane lane) {
    holding.register(4096, lane.ownerRandom);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      lane.accessSomewhere(holding.advertised(), 6);
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    lane.rest(200, 1500);
    holding.reregister(
        lane.ownerRandom.nextInt(512, 8192),
        lane.ownerRandom.nextInt(3) == 0 ? lane.bench.foreignPd() : lane.bench.responderPd(),
        lane.ownerRandom);
    if (lane.ownerRandom.nextInt(6) == 0) {
      holding.deregister();
      holding.register(4096, lane.ownerRandom);
    }
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    holding.deregister();
  }
}
