package org.mrcheck.rnic.workload;

/**
 * READs, atomic operations and WRITEs on a wire that loses, repeats and reorders, so that requests
 * come again after the deregistration of what they name (L60 to L68).
 */
final class ReplayRace implements Race {
  private final Holding holding;

  ReplayRace(RaceBench bench) {
    holding = new Holding(bench);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Advertisement target = holding.advertised();
      if (target == null) {
        break;
      }
      switch (lane.random.nextInt(4)) {
        case 0 -> lane.atomic(target.key(), target.iova());
        case 1 -> lane.write(target.key(), target.iova(), Math.min(2 * lane.mtu(), 4096));
        case 2 -> lane.send();
        default -> lane.read(target.key(), target.iova(), Math.min(3 * lane.mtu(), 4096));
      }
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    holding.register(4096, lane.ownerRandom);
    lane.rest(2000, 30_000);
    if (lane.ownerRandom.nextBoolean()) {
      holding.withdraw();
    }
    holding.deregister();
  }
}
