package org.mrcheck.rnic;

/**
 * A place in a device or an application where a {@link Scheduler} may let another thread go on.
 * Each stands right before one access to an object that several threads share.
 */
public enum SwitchPoint {
  /** A thread begins. */
  THREAD_START("thread.start"),
  /** A thread waits for the end of another. */
  THREAD_JOIN("thread.join"),
  /** A thread has ended. */
  THREAD_END("thread.end"),
  /** A thread lets time pass. */
  SLEEP("sleep"),
  /** An application thread does something that others see. */
  APPLICATION("application"),
  /** A message goes to an engine. */
  MAILBOX_SEND("mailbox.send"),
  /** An engine takes its next message. */
  MAILBOX_RECEIVE("mailbox.receive"),
  /** An engine hands a job to its DMA stage, and waits for room. */
  DMA_SUBMIT("dma.submit"),
  /** A DMA stage takes its next job. */
  DMA_TAKE("dma.take"),
  /** A check takes hold of a slot of the key table and reads it. */
  KEY_ENTER("key.enter"),
  /** A hold of a slot is given back. */
  KEY_LEAVE("key.leave"),
  /** A registration becomes visible. */
  KEY_PUBLISH("key.publish"),
  /** A registration becomes invalid. */
  KEY_INVALIDATE("key.invalidate"),
  /** A deregistration waits for the holds of a slot. */
  KEY_DRAIN("key.drain"),
  /** An index of the key table is taken or given back. */
  KEY_ALLOCATE("key.allocate"),
  /** A cache takes what was read from a table. */
  CACHE_FILL("cache.fill"),
  /** A cache drops an entry. */
  CACHE_INVALIDATE("cache.invalidate"),
  /** Work that was put off is looked for. */
  HOUSEKEEPING("housekeeping"),
  /** Memory of a region is read. */
  MEMORY_READ("memory.read", true),
  /** Memory of a region is written. */
  MEMORY_WRITE("memory.write"),
  /** A work request is put into a send queue. */
  POST("post"),
  /** A completion is put into a completion queue. */
  COMPLETION_ADD("completion.add"),
  /** A completion is taken. */
  COMPLETION_POLL("completion.poll"),
  /** A queue pair's state changes. */
  STATE_CHANGE("state.change"),
  /** A queue pair's state is read. */
  STATE_READ("state.read", true),
  /** A packet is handed to the wire. */
  WIRE_SEND("wire.send");

  private final String text;
  private final boolean readOnly;

  SwitchPoint(String text) {
    this(text, false);
  }

  SwitchPoint(String text, boolean readOnly) {
    this.text = text;
    this.readOnly = readOnly;
  }

  /** The name in schedules. */
  public String text() {
    return text;
  }

  /** Whether the access changes nothing, so that two of them commute. */
  public boolean isReadOnly() {
    return readOnly;
  }
}
