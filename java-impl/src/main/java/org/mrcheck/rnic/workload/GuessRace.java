package org.mrcheck.rnic.workload;

import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * A peer that was told one key tries others: another tag, another index, the bytes reversed,
 * another range, another right (S1 to S8).
 */
final class GuessRace implements Race {
  private final Holding holding;
  private final Holding foreign;
  private final Holding readOnly;

  GuessRace(RaceBench bench) {
    holding = new Holding(bench);
    foreign = new Holding(bench);
    readOnly = new Holding(bench);
  }

  @Override
  public void begin(Lane lane) {
    holding.register(4096, lane.ownerRandom);
    foreign.register(lane.bench.foreignPd(), 4096, Lane.ALL, lane.ownerRandom);
    readOnly.register(
        lane.bench.responderPd(), 4096, AccessFlags.of(Flag.REMOTE_READ), lane.ownerRandom);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    Advertisement told = holding.advertised();
    MemoryKey key = told.key();
    long address = told.iova();
    int length = 8;
    switch (lane.random.nextInt(12)) {
      case 0 -> key = MemoryKey.of(key.index(), lane.random.nextInt(256));
      case 1 -> key = MemoryKey.of(lane.random.nextInt(1, 200), key.tag());
      case 2 -> key = new MemoryKey(Integer.reverseBytes(key.bits()));
      case 3 -> key = new MemoryKey(lane.random.nextInt());
      case 4 -> address = told.iova() + told.length() - lane.random.nextInt(8);
      case 5 -> address = told.iova() - 8 + lane.random.nextInt(8);
      case 6 -> {
        address = told.iova() + told.length();
        length = 1;
      }
      case 7 -> address = -lane.random.nextInt(1, 8);
      case 8 -> {
        key = foreign.advertised().key();
        address = foreign.advertised().iova();
      }
      case 9 -> {
        key = readOnly.advertised().key();
        address = readOnly.advertised().iova();
      }
      case 10 -> {
        lane.write(key, address, 3 * lane.mtu());
        lane.write(key, address + 4096 - lane.mtu(), 2 * lane.mtu());
      }
      default -> lane.write(key, address, 0);
    }
    if (lane.random.nextInt(3) == 0) {
      lane.read(key, address, length);
    } else {
      lane.write(key, address, length);
    }
    lane.settle();
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    holding.deregister();
    foreign.deregister();
    readOnly.deregister();
  }
}
