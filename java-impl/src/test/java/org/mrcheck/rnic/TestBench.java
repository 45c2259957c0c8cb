package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.WcStatus;

/** Two devices with a connection between them, their trace, and the oracle that reads along. */
final class TestBench implements AutoCloseable {
  static final AccessFlags ALL =
      AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ, Flag.REMOTE_ATOMIC);
  static final long LOCAL_IOVA = 0x4000;
  static final int MTU = 256;

  final List<TraceEvent> trace = new ArrayList<>();
  final TraceOracle oracle;
  final TraceRecording recording;
  final Wire wire;
  final SoftRnic requester;
  final SoftRnic responder;
  final ProtectionDomain localPd;
  final ProtectionDomain remotePd;
  final CompletionQueue completions;
  final CompletionQueue remoteCompletions;
  final QueuePair here;
  final QueuePair there;
  final ByteBuffer localMemory = ByteBuffer.allocate(1 << 16);
  final MemoryRegion local;

  TestBench() {
    this(new TraceOracle(), config -> config, ALL);
  }

  TestBench(TraceOracle oracle, UnaryOperator<RnicConfig> change, AccessFlags remoteQpRights) {
    this(oracle, change, remoteQpRights, new Wire(), options -> options);
  }

  TestBench(
      TraceOracle oracle,
      UnaryOperator<RnicConfig> change,
      AccessFlags remoteQpRights,
      Wire wire,
      UnaryOperator<QueuePairOptions> queuePairs) {
    this.wire = wire;
    this.oracle = oracle;
    recording =
        TraceRecording.into(
            event -> {
              trace.add(event);
              oracle.accept(event);
            });
    requester =
        SoftRnic.open(change.apply(RnicConfig.forHost("requester").withRecording(recording)), wire);
    responder =
        SoftRnic.open(change.apply(RnicConfig.forHost("responder").withRecording(recording)), wire);
    localPd = requester.allocateProtectionDomain();
    remotePd = responder.allocateProtectionDomain();
    completions = requester.createCompletionQueue();
    remoteCompletions = responder.createCompletionQueue();
    here =
        requester.createQueuePair(
            localPd, queuePairs.apply(QueuePairOptions.reliable(completions, AccessFlags.NONE)));
    there =
        responder.createQueuePair(
            remotePd,
            queuePairs.apply(QueuePairOptions.reliable(remoteCompletions, remoteQpRights)));
    // PSNs shortly before they wrap around.
    there.connect(new Connection(here.address(), 77, 0xfffffd, MTU));
    here.connect(new Connection(there.address(), 0xfffffd, 77, MTU));
    for (int i = 0; i < localMemory.capacity(); i++) {
      localMemory.put(i, (byte) (i * 31 + 1));
    }
    local = localPd.register(localMemory, LOCAL_IOVA, AccessFlags.of(Flag.LOCAL_WRITE));
  }

  WorkRequest write(long id, MemoryRegion target, long address, long length) {
    return new WorkRequest.RdmaWrite(id, local.lkey(), LOCAL_IOVA, length, target.rkey(), address);
  }

  WorkRequest read(long id, MemoryRegion source, long address, long length) {
    return new WorkRequest.RdmaRead(id, local.lkey(), LOCAL_IOVA, length, source.rkey(), address);
  }

  /** A SEND out of local memory. */
  WorkRequest send(long id, long length) {
    return new WorkRequest.Send(id, sge(0, length), SendFlags.SIGNALED);
  }

  LocalData.Sge sge(long offset, long length) {
    return new LocalData.Sge(local.lkey(), LOCAL_IOVA + offset, length);
  }

  /** Posts a receive request for a whole region. */
  void receive(long id, MemoryRegion buffer) {
    there.postReceive(new ReceiveRequest(id, buffer.lkey(), buffer.iova(), buffer.length()));
  }

  WorkCompletion nextRemote() throws InterruptedException {
    return remoteCompletions
        .poll(Duration.ofSeconds(20))
        .orElseThrow(() -> new AssertionError("no completion"));
  }

  WcStatus execute(WorkRequest request) throws InterruptedException {
    here.post(request);
    return next().status();
  }

  WorkCompletion next() throws InterruptedException {
    return completions
        .poll(Duration.ofSeconds(20))
        .orElseThrow(() -> new AssertionError("no completion"));
  }

  /** Closes everything, so that the trace is whole. */
  List<TraceEvent> finish() {
    close();
    return trace;
  }

  <T extends TraceEvent> List<T> events(Class<T> type) {
    return finish().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public void close() {
    requester.close();
    responder.close();
    recording.close();
  }
}
