/** Who has something written, and is told what becomes of it. */
export interface Writer {
  /** The peer took a part of a write. */
  taken(): void;
  /** The peer took all of a write. */
  done(): void;
}

/** Where a pump writes: one response, or one connection that many requests share. */
export interface Sink {
  /** Whether all that was written has left the process. Read within a turn, before any callback can run. */
  readonly idle: boolean;
  /** Whether it is not its turn yet: the peer cannot take what another answer stands before. @default false */
  readonly queued?: boolean;
  /**
   * Where a write is dear: how long an update that follows one waits for others, in milliseconds; longer while
   * many connections write.
   * @default 0
   */
  readonly gatherMs?: number;
  /**
   * Writes the frames in one go. Tells the writer each time the peer took a part of them, and once it took
   * them all; nothing of it before `write` returns. With `last`, nothing follows.
   */
  write(frames: readonly string[], last: boolean, writer: Writer): void;
}
