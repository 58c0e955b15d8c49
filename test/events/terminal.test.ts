import { Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { isTerminal, type RequestEvent, type TerminalEvent, untilTerminal } from "../../src/events/index.ts";
import { notification, progressed, question, samples } from "./samples.ts";

describe.each(["R", "E", "I"])("the terminal event %s", (letter) => {
  it("completes the stream right after itself, and nothing follows", () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot<RequestEvent>(`aQN-${letter}-b${letter}R-`, samples);
      expectObservable(source.pipe(untilTerminal())).toBe(`aQN-(${letter}|)`, samples);
      expectSubscriptions(source.subscriptions).toBe("^---!");
    });
  });

  it("is last also when its subscriber causes more", () => {
    const source = new Subject<RequestEvent>();
    const seen: unknown[] = [];
    const terminal = samples[letter] ?? question;
    source.pipe(untilTerminal()).subscribe({
      next: (event) => {
        seen.push(event);
        source.next(progressed(2));
        source.next(terminal);
      },
      complete: () => seen.push("complete"),
    });
    source.next(terminal);
    expect(seen).toEqual([terminal, "complete"]);
    expect(source.observed).toBe(false);
  });
});

it("isTerminal knows the three ends", () => {
  expect(["R", "E", "I"].map((letter) => isTerminal(samples[letter] ?? question))).toEqual([true, true, true]);
  expect([question, notification, progressed(1)].map(isTerminal)).toEqual([false, false, false]);
  expectTypeOf(isTerminal).guards.toEqualTypeOf<TerminalEvent>();
});
