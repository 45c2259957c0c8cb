package org.mrcheck.rnic.workload;

import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.rnic.WorkRequest;

/**
 * Queue pairs and regions go in every order under requests: destroyed at either end, moved to ERR
 * by the application, deregistered before and after. Local memory goes too, and local keys are
 * wrong now and then.
 */
final class TeardownRace implements Race {
  private final Holding holding;

  TeardownRace(RaceBench bench) {
    holding = new Holding(bench);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      Advertisement target = holding.advertised();
      if (target != null) {
        lane.accessSomewhere(target, 8);
      }
      if (lane.random.nextInt(4) == 0) {
        lane.send();
      }
    }
    switch (lane.random.nextInt(24)) {
      case 0, 1, 2 -> {
        Lane.pause(lane.random, 0, 200);
        lane.reconnect();
        return;
      }
      case 3 -> lane.there().modify(QueuePairState.ERR);
      case 4 -> lane.here().modify(QueuePairState.ERR);
      case 5 -> lane.changeLocal();
      case 6 -> {
        Advertisement target = holding.advertised();
        if (target != null) {
          lane.post(
              new WorkRequest.RdmaWrite(
                  lane.nextId(), lane.wrongLocalKey(), 0x10_0000, 8, target.key(), target.iova()));
        }
      }
      default -> {}
    }
    lane.settle();
  }

  @Override
  public void own(Lane lane) throws InterruptedException {
    holding.register(8192, lane.ownerRandom);
    lane.rest(200, 3000);
    if (lane.ownerRandom.nextBoolean()) {
      holding.withdraw();
      lane.rest(0, 300);
    }
    holding.deregister();
  }
}
