package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.WcStatus;

class TraceRecordingTest {

  @TempDir Path folder;

  private static TraceHeader header() {
    return TraceRecording.header("test", List.of("a", "b"), Map.of("seed", "1"));
  }

  private static WorkCompletion completion(long id) {
    return new WorkCompletion(
        id,
        WcStatus.SUCCESS,
        new QueuePairId(0x11, 1),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  @Test
  void close_afterManyThreads_hasHandedOverEveryNumberInOrder() throws InterruptedException {
    List<TraceEvent> events = new ArrayList<>();
    int perThread = 60_000;
    try (TraceRecording recording = TraceRecording.into(events::add)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Actor actor = new Actor("a", "thread" + t);
        Thread thread =
            new Thread(
                () -> {
                  for (int mr = 1; mr <= perThread; mr++) {
                    recording.points().wc(actor, completion(mr));
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(recording.events()).isEqualTo(4 * perThread);
    }

    assertThat(events).hasSize(4 * perThread);
    long[] last = new long[4];
    for (int i = 0; i < events.size(); i++) {
      TraceEvent.Wc wc = (TraceEvent.Wc) events.get(i);
      assertThat(wc.stamp().seq()).isEqualTo(i + 1);
      int thread = wc.stamp().actor().role().charAt("thread".length()) - '0';
      assertThat(wc.wr()).isEqualTo(++last[thread]);
    }
  }

  @Test
  void toFile_bearsItsNameOnlyWhenClosed() throws IOException {
    Path file = folder.resolve("a.mrtrace");
    TraceRecording recording = TraceRecording.toFile(file, header());
    recording.points().wc(new Actor("a", "owner"), completion(1));
    assertThat(file).doesNotExist();

    recording.close();

    assertThat(Files.readAllLines(file))
        .startsWith("mrtrace 1")
        .anyMatch(line -> line.endsWith(" a/owner wc qp=0x11.1 wr=1 status=SUCCESS"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void toFile_inAFolderThatIsNotThere_fails() {
    assertThatThrownBy(
            () -> TraceRecording.toFile(folder.resolve("none").resolve("a.mrtrace"), header()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void close_afterTheSinkFailed_reportsItAndTheDeviceWasNotHeldUp() {
    TraceRecording recording =
        TraceRecording.into(
            event -> {
              if (event.stamp().seq() == 10) {
                throw new UncheckedIOException(new IOException("disk full"));
              }
            });
    Actor actor = new Actor("a", "owner");
    for (int mr = 1; mr <= 200_000; mr++) {
      recording.points().wc(actor, completion(mr));
    }

    assertThatThrownBy(recording::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("disk full");
  }

  @Test
  void off_recordsNothing() {
    try (TraceRecording recording = TraceRecording.off()) {
      recording.points().wc(new Actor("a", "owner"), completion(1));
      assertThat(recording.events()).isZero();
    }
  }

  @Test
  void header_namesHostsAndEveryClassTheDeviceTracesAsComplete() {
    TraceHeader header = header();

    assertThat(header.hosts()).extracting(TraceHeader.Host::name).containsExactly("a", "b");
    assertThat(header.transport()).contains("memory");
    for (EventClass eventClass : EventClass.values()) {
      boolean traced = eventClass != EventClass.RECORDING;
      assertThat(header.completeness(eventClass, "a").filter(Completeness.COMPLETE::equals))
          .as(eventClass.text())
          .matches(found -> found.isPresent() == traced);
    }
  }
}
