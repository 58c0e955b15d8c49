import { Writable } from "node:stream";
import { createMcpServer, defineTool, type ProgressUpdate } from "mcp-headway";
import { connect, type ObservedEvent, type ToolEvent } from "mcp-headway/client";
import { createLiveLines, type LiveLine } from "mcp-headway/terminal";
import { firstValueFrom, lastValueFrom, Observable, of, Subject, take, throwError, toArray } from "rxjs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Pipe } from "./terminal.ts";

const count = defineTool({
  name: "count",
  description: "Counts to two",
  handler: (_args, ctx) => {
    const emitter = ctx.countingProgress(2);
    emitter.emit("first");
    emitter.emit();
    return "counted";
  },
});
const client = connect(createMcpServer({ name: "s", version: "1", tools: [count] }));

function stage() {
  const pipe = new Pipe();
  return { pipe, live: createLiveLines({ stream: pipe }) };
}

describe("the operator", () => {
  it("passes a call's events on and shows them, from the subscription to the end", async () => {
    const { pipe, live } = stage();
    const shown = client.streamTool("count").pipe(live.line("count", { ending: () => "done" }));
    expect(pipe.lines).toEqual([]);
    const events = await lastValueFrom(shown.pipe(toArray()));
    expect(events.map(({ type }) => type)).toEqual(["progress", "progress", "result"]);
    expect(pipe.lines).toEqual(["count   50 %  first", "count  done"]);
  });

  it("ends its line, without its ending, with a call that fails or is left", async () => {
    const { pipe, live } = stage();
    const line = () => live.line<ProgressUpdate>("x", { ending: () => "done" });
    const error = new Error("no");
    await expect(lastValueFrom(throwError(() => error).pipe(line()))).rejects.toBe(error);
    await firstValueFrom(of({ progress: 1 }, { progress: 2 }).pipe(line()));
    new Subject<ProgressUpdate>().pipe(line()).subscribe().unsubscribe();
    const left = "x  cancelled after 0.0 s";
    expect(pipe.lines).toEqual(["x  failed after 0.0 s", "x      1", left, left]);
    await lastValueFrom(of({ progress: 1 }).pipe(line()));
    expect(pipe.lines.at(-1)).toBe("x  done");
  });

  it("lets a call complete whose ending throws", async () => {
    const { pipe, live } = stage();
    const ending = (): string => {
      throw new Error("no words");
    };
    expect(await lastValueFrom(of({ progress: 1 }).pipe(live.line("x", { ending })))).toEqual({ progress: 1 });
    expect(pipe.lines.at(-1)).toBe("x  ended after 0.0 s");
  });

  it("has ended its line before anybody hears of the end", () => {
    const { pipe, live } = stage();
    const heard = (name: string) => () => live.log(`${name} heard`);
    of({ progress: 1 })
      .pipe(live.line("one", { ending: () => "done" }))
      .subscribe({ complete: heard("one") });
    throwError(() => new Error("no"))
      .pipe(live.line("two"))
      .subscribe({ error: heard("two") });
    expect(pipe.lines.slice(1)).toEqual(["one  done", "one heard", "two  failed after 0.0 s", "two heard"]);
  });

  it("stops a source that is left while it emits", () => {
    const { live } = stage();
    let made = 0;
    const endless = new Observable<ProgressUpdate>((subscriber) => {
      for (; !subscriber.closed && made < 10; made += 1) subscriber.next({ progress: made });
    });
    endless.pipe(live.line("x"), take(1)).subscribe();
    expect(made).toBe(1);
  });

  it("infers what passes", () => {
    const { live } = stage();
    expectTypeOf(client.streamTool("count").pipe(live.line("n"))).toEqualTypeOf<Observable<ToolEvent>>();
    const observed = new Subject<ObservedEvent<{ done: boolean }>>();
    expectTypeOf(observed.pipe(live.line("n"))).toEqualTypeOf<Observable<ObservedEvent<{ done: boolean }>>>();
    // @ts-expect-error text is no event
    of("1").pipe(live.line("n"));
  });
});

describe("a line that is opened by hand", () => {
  it("takes what callbacks get, and closes after the call", async () => {
    const { pipe, live } = stage();
    const line = live.open("count");
    await client.callTool("count", {}, { onProgress: line.update }).finally(line.close);
    expect(pipe.lines).toEqual(["count   50 %  first", expect.stringMatching(/^count {2}ended after \d\.\d s$/)]);
    expectTypeOf<LiveLine["update"]>().toBeCallableWith({ progress: 1, total: undefined, message: undefined });
  });

  it("does nothing once it is closed", () => {
    const { pipe, live } = stage();
    const { update, close } = live.open("n");
    close("done");
    update({ progress: 1 });
    close("done again");
    live.close();
    expect(pipe.lines).toEqual(["n  done"]);
  });
});

it("says nothing of a message that is no text", () => {
  const { pipe, live } = stage();
  const sent = JSON.parse('{ "progress": 1, "message": { "a": 1 } }');
  live.open("n").update(sent);
  expect(pipe.lines).toEqual(["n      1"]);
});

describe("stepping aside", () => {
  it("gives what the prompt gives, and comes back when it fails", async () => {
    const { pipe, live } = stage();
    const answer = await live.aside(() => {
      live.log("during");
      expect(pipe.lines).toEqual([]);
      return "yes";
    });
    expectTypeOf(answer).toEqualTypeOf<string>();
    expect(answer).toBe("yes");
    await expect(live.aside(() => Promise.reject(new Error("left")))).rejects.toThrow("left");
    live.log("after");
    live.resume();
    expect(pipe.lines).toEqual(["during", "after"]);
  });
});

describe("a stream that fails", () => {
  class Throwing extends Writable {
    override write(): never {
      throw new Error("broken");
    }
  }
  class Erring extends Writable {
    override _write(_text: unknown, _encoding: unknown, done: (error: Error) => void): void {
      done(new Error("EPIPE"));
    }
  }

  it.each([
    ["throws", Throwing, true],
    ["throws", Throwing, false],
    ["emits errors", Erring, true],
    ["emits errors", Erring, false],
  ])("and %s harms no call", async (_, Failing, isTTY) => {
    const stream = Object.assign(new Failing(), { isTTY, columns: 80, rows: 24 });
    const live = createLiveLines({ stream, intervalMs: 1 });
    const { update, close } = live.open("other");
    update({ progress: 1 });
    live.log("x");
    const result = await lastValueFrom(client.streamTool("count").pipe(live.line("count", { ending: () => "done" })));
    await new Promise(setImmediate);
    close();
    expect(result.type).toBe("result");
  });
});

it.each([
  [{ intervalMs: 0 }, "Expected `intervalMs` to be greater than 0 and at most 2147483647, got 0"],
  [{ plainEveryMs: Number.NaN }, "Expected `plainEveryMs` to be greater than 0 and at most 2147483647, got NaN"],
])("refuses %o", (options, message) => {
  expect(() => createLiveLines(options)).toThrow(new RangeError(message));
  expect(() => createLiveLines({ intervalMs: 1, plainEveryMs: 2_147_483_647 })).not.toThrow();
});
