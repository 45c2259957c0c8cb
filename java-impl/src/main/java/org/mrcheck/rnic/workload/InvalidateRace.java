package org.mrcheck.rnic.workload;

import java.nio.ByteBuffer;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.SendFlags;
import org.mrcheck.rnic.WorkRequest;

/**
 * A fast registration is ended by the peer's SEND with invalidate or by a local invalidation, while
 * WRITEs under its key are on their way (L110 to L117). Now and then the SEND names a key of
 * another domain, a region that was registered by a verb, or one that is dead.
 */
final class InvalidateRace implements Race {
  private static final int BYTES = 4096;
  private static final long IOVA = 0x5000_0000L;
  private MemoryRegion region;
  private MemoryRegion foreign;
  private MemoryRegion plain;
  private MemoryKey last = new MemoryKey(0x0101);

  @Override
  public void begin(Lane lane) {
    region = lane.bench.responderPd().allocateFastRegister(ByteBuffer.allocate(BYTES));
    foreign = lane.bench.foreignPd().register(ByteBuffer.allocate(64), IOVA, Lane.ALL);
    plain = lane.bench.responderPd().register(ByteBuffer.allocate(64), IOVA, Lane.ALL);
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    if (!region.isValid()) {
      lane.postThere(
          new WorkRequest.FastRegister(
              lane.nextId(), region, region.nextKey(), IOVA, BYTES, Lane.ALL, SendFlags.SIGNALED));
      lane.awaitThere();
      if (lane.isBroken()) {
        return;
      }
    }
    MemoryKey key = region.rkey();
    lane.write(key, IOVA, lane.random.nextInt(1, 3 * lane.mtu()));
    lane.read(key, IOVA, 64);
    int dice = lane.random.nextInt(40);
    if (dice < 20) {
      lane.post(new WorkRequest.SendWithInv(lane.nextId(), lane.place(8), key, SendFlags.SIGNALED));
    } else if (dice < 34) {
      // Only what is complete is certainly before it; what follows races.
      if (dice < 30) {
        lane.settle();
      }
      lane.postThere(new WorkRequest.LocalInvalidate(lane.nextId(), key, SendFlags.SIGNALED));
    } else if (dice < 38) {
      MemoryKey wrong = dice == 34 ? foreign.rkey() : dice == 35 ? plain.rkey() : last;
      lane.post(
          new WorkRequest.SendWithInv(lane.nextId(), lane.place(8), wrong, SendFlags.SIGNALED));
    }
    if (lane.random.nextInt(8) == 0) {
      lane.write(key, IOVA, 8);
    }
    last = key;
    lane.settle();
  }

  @Override
  public void end(Lane lane) {
    region.deregister();
    foreign.deregister();
    plain.deregister();
  }
}
