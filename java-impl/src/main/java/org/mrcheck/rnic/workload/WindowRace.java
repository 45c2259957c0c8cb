package org.mrcheck.rnic.workload;

import java.nio.ByteBuffer;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.MemoryWindow;
import org.mrcheck.rnic.SendFlags;
import org.mrcheck.rnic.WorkRequest;

/**
 * Windows of both types are bound, used, bound again, invalidated and deallocated, and the region
 * under them deregistered, while the peer writes through them (rows W1 to W3, D1).
 */
final class WindowRace implements Race {
  private static final int BYTES = 8192;
  private static final long IOVA = 0x6000_0000L;
  private static final AccessFlags WINDOW_RIGHTS =
      AccessFlags.of(Flag.REMOTE_WRITE, Flag.REMOTE_READ);
  private MemoryRegion region;
  private MemoryRegion small;
  private MemoryWindow window;
  private MemoryKey last = new MemoryKey(0x0101);

  @Override
  public void begin(Lane lane) {
    small =
        lane.bench
            .responderPd()
            .register(
                ByteBuffer.allocate(64), IOVA, AccessFlags.of(Flag.MW_BIND, Flag.REMOTE_READ));
    provide(lane);
  }

  private void provide(Lane lane) {
    if (region == null) {
      region = lane.bench.responderPd().register(ByteBuffer.allocate(BYTES), IOVA, Lane.ALL);
      lane.bench.registered();
    }
    if (window == null) {
      window =
          lane.bench
              .responderPd()
              .allocateMemoryWindow(
                  lane.random.nextBoolean() ? MemoryWindow.Type.TYPE_1 : MemoryWindow.Type.TYPE_2);
    }
  }

  private void bind(Lane lane, MemoryRegion under, long va, long length, AccessFlags rights) {
    lane.postThere(
        new WorkRequest.BindMemoryWindow(
            lane.nextId(),
            window,
            under,
            window.nextKey(),
            va,
            length,
            rights,
            SendFlags.SIGNALED));
  }

  @Override
  public void use(Lane lane) throws InterruptedException {
    provide(lane);
    int length = lane.random.nextInt(64, BYTES / 2);
    long va = IOVA + lane.random.nextInt(BYTES - length);
    if (!window.isBound() || window.type() == MemoryWindow.Type.TYPE_1) {
      bind(lane, region, va, length, WINDOW_RIGHTS);
      lane.awaitThere();
    }
    MemoryKey key = window.rkey();
    if (!lane.isBroken()) {
      lane.write(key, va, Math.min(length, lane.random.nextInt(1, 2 * lane.mtu())));
      lane.read(key, va, 16);
    }
    switch (lane.isBroken() ? -1 : lane.random.nextInt(48)) {
      case 0 -> lane.write(key, va + length, 8);
      case 1 -> lane.atomic(key, va & ~7L);
      case 2 -> lane.write(last, IOVA, 8);
      case 3 -> bind(lane, region, IOVA + BYTES - 8, 64, WINDOW_RIGHTS);
      case 4 -> bind(lane, small, IOVA, 64, WINDOW_RIGHTS);
      case 5 -> bind(lane, region, va, length, WINDOW_RIGHTS);
      case 6, 7, 8, 9, 10, 11 ->
          lane.postThere(new WorkRequest.LocalInvalidate(lane.nextId(), key, SendFlags.SIGNALED));
      case 12, 13, 14, 15, 16, 17 ->
          lane.post(
              new WorkRequest.SendWithInv(lane.nextId(), lane.place(8), key, SendFlags.SIGNALED));
      default -> {}
    }
    last = key;
    if (lane.random.nextInt(12) == 0) {
      deregister(lane);
    } else if (lane.random.nextInt(12) == 0) {
      deallocate();
    }
    lane.settle();
  }

  /** With a window on it the device says busy; then it stays. */
  private void deregister(Lane lane) {
    if (region.deregister() == CallStatus.OK) {
      lane.bench.deregistered();
      region = null;
    }
  }

  private void deallocate() {
    try {
      window.deallocate();
      window = null;
    } catch (IllegalStateException bindUnderWay) {
      // It stays; a posted bind or invalidation has it.
    }
  }

  @Override
  public void end(Lane lane) throws InterruptedException {
    if (window != null) {
      window.deallocate();
    }
    if (region != null) {
      region.deregister();
    }
    small.deregister();
  }
}
