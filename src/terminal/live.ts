import { defer, finalize, type MonoTypeOperatorFunction, type SchedulerLike, Subject, tap } from "rxjs";
import { type OfficialProgress, type ProgressInput, progressState } from "../client/index.ts";
import { attempt } from "../errors.ts";
import { createUpdate } from "../progress/index.ts";
import type { Display } from "./display.ts";
import { type LiveLinesOptions, type Settings, settle } from "./options.ts";
import { type Outcome, outcomeOf, outcomeOfThrown } from "./outcome.ts";
import { Row } from "./row.ts";

/** The line of one call. Its functions may be passed on as they are. Once it is closed they show nothing. */
export interface LiveLine {
  /** Takes an update, such as `onProgress` and `onprogress` get, or an event of the call. */
  readonly update: (item: ProgressInput | OfficialProgress) => void;
  /** Takes the line away. With a text, the name and that text stay; it is written as it is. */
  readonly close: (text?: string) => void;
  /** Closes the line when the call settles, knowing then how it ended. Gives what the call gives. */
  readonly closeAfter: <T>(call: T | PromiseLike<T>) => Promise<T>;
}

export interface LineOptions {
  /**
   * What stays once the call has succeeded, written as it is; nothing when it throws. Of a call that failed,
   * its result saying so or not, nothing stays. @default nothing stays
   */
  readonly ending?: (() => string | undefined) | undefined;
}

/** The lines of all calls that go on at a terminal. */
export interface LiveLines {
  /**
   * An operator that shows a call while it runs and passes its events on: the line begins with the
   * subscription and ends with it.
   */
  line<E extends ProgressInput>(name: string, options?: LineOptions): MonoTypeOperatorFunction<E>;
  /** A line that is updated by hand. Whoever opens one closes it. */
  open(name: string): LiveLine;
  /** Writes a line that stays, above those that move. It is written as it is. */
  log(text: string): void;
  /** Leaves the terminal to someone else, until `resume` has been called as often. Lines to stay are written then. */
  pause(): void;
  /** Goes on. Calls that asked count as answered. */
  resume(): void;
  /** Leaves the terminal to `run`, a prompt say, until what that returns has settled. */
  aside<T>(run: () => T | PromiseLike<T>): Promise<T>;
  /** Closes the lines that are open. */
  close(): void;
}

/**
 * A live line for each call, for people at a terminal: a spinner; with a total a bar, percents and the time
 * left; rate and message. Where there is no terminal, plain lines now and then, and one at the end, which says
 * whether the call ended, failed or was cancelled. What servers say cannot break the picture. Nothing here holds
 * the process or harms a call, not even a stream that throws. One per terminal. Needs the packages `log-update` and `cli-truncate`.
 *
 * ```ts
 * const live = createLiveLines();
 * await lastValueFrom(client.streamTool("import").pipe(live.line("import")));
 * ```
 * @throws RangeError for an interval that is no delay.
 */
export function createLiveLines(options: LiveLinesOptions = {}): LiveLines {
  return new Lines(settle(options));
}

class Lines implements LiveLines {
  readonly #display: Display;
  readonly #scheduler: SchedulerLike;
  readonly #open = new Map<LiveLine, Row>();
  #pauses = 0;

  constructor({ display, scheduler }: Settings) {
    this.#display = display;
    this.#scheduler = scheduler;
  }

  line<E extends ProgressInput>(name: string, { ending }: LineOptions = {}): MonoTypeOperatorFunction<E> {
    return (source) =>
      defer(() => {
        const row = new Row(name, this.#scheduler.now());
        const line = this.#show(row);
        const leave = (outcome: Outcome): void => {
          row.end(outcome);
          line.close();
        };
        // Closed before anybody hears of the end, who may have something to print.
        const end = {
          complete: () => line.close(row.outcome === "failed" ? undefined : attempt(() => ending?.())),
          error: (thrown: unknown) => leave(outcomeOfThrown(thrown)),
        };
        return source.pipe(
          tap<E>({ next: line.update, ...end }),
          finalize(() => leave("cancelled")),
        );
      });
  }

  open(name: string): LiveLine {
    return this.#show(new Row(name, this.#scheduler.now()));
  }

  #show(row: Row): LiveLine {
    const items = new Subject<ProgressInput>();
    items.pipe(progressState({ clock: this.#scheduler })).subscribe((state) => {
      row.change(state, this.#scheduler.now());
      this.#display.change(row);
    });
    const line: LiveLine = {
      update: (given) => {
        if (!this.#open.has(line)) return;
        const item = "type" in given ? given : createUpdate(given.progress, given.total, given.message);
        row.end(outcomeOf(item));
        items.next(item);
      },
      close: (text) => {
        if (this.#open.delete(line)) this.#display.close(row, text);
      },
      closeAfter: async (call) => {
        try {
          const result = await call;
          line.update({ type: "result", result });
          return result;
        } catch (thrown) {
          row.end(outcomeOfThrown(thrown));
          throw thrown;
        } finally {
          line.close();
        }
      },
    };
    this.#open.set(line, row);
    this.#display.open(row);
    return line;
  }

  log(text: string): void {
    this.#display.log(text);
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#display.pause();
  }

  resume(): void {
    if (this.#pauses === 0) return;
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    // A call says nothing of its answer, and would stand as asking until its next update.
    for (const row of this.#open.values()) row.answer(this.#scheduler.now());
    this.#display.resume();
  }

  async aside<T>(run: () => T | PromiseLike<T>): Promise<T> {
    this.pause();
    try {
      return await run();
    } finally {
      this.resume();
    }
  }

  close(): void {
    for (const line of [...this.#open.keys()]) line.close();
  }
}
