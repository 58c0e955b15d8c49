import type { Heard, MarbleCall } from "./call.ts";
import { type Described, difference } from "./difference.ts";
import { type ExpectedEvent, Legend, print } from "./legend.ts";
import { lettersOf } from "./scene.ts";
import { callerOf, type Failure } from "./site.ts";

type ErrorClass = abstract new (...args: never) => Error;

/** What a call is expected to do. Both may be said of one call. */
export interface CallExpectation {
  /**
   * Compares all that the call emits. Without a value of its own, a digit stands for progress of that value, `r`
   * for any result, `e` for an error, `q` for a question, `n` for a notification and `i` for input required.
   * The result and the completion after it are one moment: `(r|)`. A call whose client leaves has no `|`.
   * @throws TypeError for a letter that stands for nothing.
   */
  toEmit(diagram: string, values?: Readonly<Record<string, ExpectedEvent>>): CallExpectation;
  /**
   * Compares when the handler's `signal` aborts, `"---!"`, and by what. `""` is never. Of a server, rather than
   * of a single tool, a deadline does not show here.
   */
  toAbort(diagram: string, reason?: ErrorClass): CallExpectation;
}

/** Tells what is wrong, if anything. */
interface Check {
  readonly failure: () => string | undefined;
  readonly site: string | undefined;
}

/** What was said of one call, to be checked when virtual time has run out. */
export class Expectations implements CallExpectation {
  readonly #call: MarbleCall;
  readonly #site: string | undefined;
  readonly #checks: Check[] = [];
  /** An empty diagram was expected. */
  #silent = false;

  /** `site` is who expects anything at all. */
  constructor(call: MarbleCall, site: string | undefined) {
    this.#call = call;
    this.#site = site;
  }

  toEmit(diagram: string, values: Readonly<Record<string, ExpectedEvent>> = {}): CallExpectation {
    const legend = new Legend(values);
    const expected = lettersOf(diagram).map(({ frame, letter: sign }): Described => {
      if (sign === "|") return { frame, sign, text: "" };
      legend.check(sign);
      return { frame, sign, text: print(legend.meaning(sign)) };
    });
    this.#silent ||= expected.length === 0;
    this.#checks.push({ failure: () => this.#emission(diagram, expected, legend), site: callerOf(this.toEmit) });
    return this;
  }

  toAbort(diagram: string, reason?: ErrorClass): CallExpectation {
    const picture = diagram.replaceAll("!", "x");
    const expected = lettersOf(picture).map(({ frame }): Described => ({ frame, sign: "!", text: reason?.name ?? "" }));
    if (expected.length > 1) throw new TypeError(`Expected one "!" at most in the diagram of an abort, got ${diagram}`);
    this.#checks.push({ failure: () => this.#abort(diagram, expected, reason), site: callerOf(this.toAbort) });
    return this;
  }

  /** All that is wrong; `worked` tells whether a source of the test was subscribed to in a span of time. */
  failures(worked: (from: number, to: number) => boolean): readonly Failure[] {
    const [first] = this.#checks;
    if (first === undefined) {
      return [{ message: "Expected `expectCall` to be followed by `toEmit` or `toAbort`", site: this.#site }];
    }
    const found = [{ failure: () => this.#vanity(worked), site: first.site }, ...this.#checks].map(
      ({ failure, site }) => ({ message: failure(), site }),
    );
    return found.flatMap(({ message, site }) =>
      message === undefined ? [] : [{ message: `${this.#call.title}: ${message}`, site }],
    );
  }

  #emission(diagram: string, expected: readonly Described[], legend: Legend): string | undefined {
    const emitted = this.#call.heard.map((heard) => ({ ...heard, ...described(heard, legend) }));
    const found = difference(diagram, expected, emitted, ({ sign }, { event }) =>
      event === undefined ? sign === "|" : sign !== "|" && legend.matches(sign, event),
    );
    return found && `Expected the call to emit what its diagram shows\n\n${found}`;
  }

  #abort(diagram: string, expected: readonly Described[], reason: ErrorClass | undefined): string | undefined {
    const { aborted } = this.#call;
    const emitted = aborted === undefined ? [] : [{ frame: aborted.frame, sign: "!", text: String(aborted.reason) }];
    const found = difference(
      diagram,
      expected,
      emitted,
      () => reason === undefined || aborted?.reason instanceof reason,
    );
    return found && `Expected the signal of the handler to abort as its diagram shows\n\n${found}`;
  }

  /** Why the diagram proves nothing, also when nothing differs from it. */
  #vanity(worked: (from: number, to: number) => boolean): string | undefined {
    const { isOver, promised, heard, scene } = this.#call;
    const [idle] = scene.idleAnswers;
    if (promised) return `The handler returned a promise. ${wayOut}`;
    if (!isOver && scene.leavesAt === Infinity) {
      const last = heard.at(-1);
      const when = last === undefined ? "and nothing was emitted" : `its last event came at ${last.frame} ms`;
      return `The call had not ended when virtual time ran out, ${when}. ${wayOut}\nIf it is endless on purpose, let its client leave: { subscription: "^---!" }`;
    }
    if (idle !== undefined) return `The client answered at ${idle} ms, when no question was open. ${wayOut}`;
    if (isOver || !this.#silent || heard.length > 0 || worked(scene.subscribedAt, scene.leavesAt)) return undefined;
    return `Nothing was emitted, and no \`cold\` or \`hot\` of this test was at work, so an empty diagram proves nothing. ${wayOut}`;
  }
}

function described({ frame, event }: Heard, legend: Legend): Described {
  return event === undefined
    ? { frame, sign: "|", text: "" }
    : { frame, sign: legend.marbleOf(event), text: print(event) };
}

const wayOut =
  "Virtual time waits for no promise: an async handler, `await`, `from(promise)` and the answer to a question come to nothing here. Test those with fake timers and awaited microtasks instead (docs/testing.md)";
