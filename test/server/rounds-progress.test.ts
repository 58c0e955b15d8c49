import { type McpToolContext, type RequestEvent, reportTo } from "mcp-headway";
import { marbles } from "mcp-headway/testing";
import { concatMap, from } from "rxjs";
import { describe, expect, it } from "vitest";
import { able, answer, askedOf, asking, consent, textOf } from "./asking.ts";

const valuesOf = (events: readonly RequestEvent[]) =>
  events.flatMap((event) => (event.type === "progress" ? [event.progress] : []));

/** Reports some values, asks, and reports others. */
const around =
  (before: readonly number[], after: readonly number[]) =>
  async (ctx: McpToolContext): Promise<string> => {
    const first = ctx.percentProgress();
    for (const value of before) first.complete(value);
    await ctx.elicit("A?", consent);
    const second = ctx.percentProgress();
    for (const value of after) second.complete(value);
    return "done";
  };

async function legs({ send, told }: ReturnType<typeof asking>, tokens: readonly (string | number)[] = ["p", "p"]) {
  const first = send({}, able, tokens[0]);
  const second = send(answer(await first.end), able, tokens[1]);
  expect(textOf(await second.end)).toBe("done");
  return { values: [valuesOf(first.events), valuesOf(second.events)], told: told() };
}

describe("progress around a question", () => {
  it.each([
    ["p", "p"],
    ["p", "q"],
    [0, ""],
  ])("is one increasing line, with the tokens %j and %j", async (...tokens) => {
    const after = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    expect(await legs(asking(around([0.2, 0.6], after), { cadence: "every" }), tokens)).toEqual({
      values: [
        [0.2, 0.6],
        [0.7, 0.8, 0.9],
      ],
      told: [],
    });
  });

  it("goes on from the last update that was still waiting for its turn", async () => {
    const cadence = { burst: 1, intervalMs: 1_000_000 };
    const rise = asking(around([0.1, 0.2, 0.3], [0.25, 0.35]), { cadence });
    expect(await legs(rise)).toEqual({ values: [[0.1, 0.3], [0.35]], told: [] });
  });

  it("goes on from the highest of all rounds", async () => {
    const { send } = asking(
      async (ctx) => {
        for (const [n, value] of [0.2, 0.5, 0.4, 0.6].entries()) {
          ctx.progress(value, 1);
          await ctx.elicit(`${n}?`, consent);
        }
        return "done";
      },
      { cadence: "every" },
    );
    const values: number[][] = [];
    let retry = {};
    for (let round = 0; round < 5; round += 1) {
      const { end, events } = send(retry);
      const event = await end;
      values.push(valuesOf(events));
      if (event.type === "input-required") retry = answer(event);
    }
    expect(values).toEqual([[0.2], [0.5], [], [0.6], []]);
  });

  it("keeps its mark through a round in which nobody listens", async () => {
    const { send, call } = asking(
      async (ctx) => {
        ctx.progress(0.5, 1);
        await ctx.elicit("A?", consent);
        ctx.progress(0.7, 1);
        await ctx.elicit("B?", consent);
        ctx.progress(0.6, 1);
        ctx.progress(0.8, 1);
        return "done";
      },
      { cadence: "every" },
    );
    const silent = { ...able, deliversProgress: false };
    const second = await call(answer(await send().end), silent);
    const { end, events } = send(answer(second));
    expect(textOf(await end)).toBe("done");
    expect(valuesOf(events)).toEqual([0.7, 0.8]);
  });

  it("starts afresh for a call that brings no state, whatever its token", async () => {
    const { send } = asking(around([0.2, 0.6], [0.9]), { cadence: "every" });
    for (let n = 0; n < 2; n += 1) {
      const { end, events } = send();
      askedOf(await end);
      expect(valuesOf(events)).toEqual([0.2, 0.6]);
    }
  });

  it("that the mark silences wholly is one diagnostic", async () => {
    expect(await legs(asking(around([0.2, 0.6], [0.1, 0.3, 0.5]), { cadence: "every" }))).toEqual({
      values: [[0.2, 0.6], []],
      told: ["silent-round"],
    });
  });

  it("that is only replayed is no diagnostic", async () => {
    expect(await legs(asking(around([0.2, 0.6], []), { cadence: "every" }))).toEqual({
      values: [[0.2, 0.6], []],
      told: [],
    });
  });

  it("passes the guards on replay: an emitter keeps its own order", async () => {
    const seen: unknown[] = [];
    const { call } = asking(async (ctx) => {
      const emitter = ctx.doubleProgress();
      emitter.emit(1);
      await ctx.elicit("A?", consent);
      seen.push(emitter.last);
      emitter.emit(1);
    });
    await call(answer(await call()));
    expect(seen).toEqual([1]);
  });

  it("rises through the phases of all rounds", async () => {
    const { send, told } = asking(
      async (ctx) => {
        const { read, write } = ctx.phases({ read: 1, write: 1 });
        for await (const _ of read.track([1, 2])) void _;
        await ctx.elicit("A?", consent);
        for await (const _ of write.track([1, 2])) void _;
        return "done";
      },
      { cadence: "every" },
    );
    const first = send();
    const second = send(answer(await first.end));
    await second.end;
    expect([valuesOf(first.events), valuesOf(second.events)]).toEqual([
      [0.25, 0.5],
      [0.75, 1],
    ]);
    expect(told()).toEqual([]);
  });
});

it("an Observable handler that never asks stays in virtual time, also on a retry without a state", () => {
  marbles(({ cold, expectCall }) => {
    const { server } = asking((ctx) => cold("-a-(b|)").pipe(reportTo(ctx.countingProgress())));
    expectCall(server, { method: "tools/call", params: { name: "t", inputResponses: {} } }).toEmit("-1-(2r|)");
  });
});

it("an Observable handler reports around its question", async () => {
  const { send } = asking(
    (ctx) =>
      from([0.2, 0.4, 0.6]).pipe(
        concatMap(async (value) => {
          ctx.progress(value, 1);
          if (value === 0.4) await ctx.elicit("A?", consent);
          return "done";
        }),
      ),
    { cadence: "every" },
  );
  const first = send();
  const second = send(answer(await first.end));
  expect(textOf(await second.end)).toBe("done");
  expect([valuesOf(first.events), valuesOf(second.events)]).toEqual([[0.2, 0.4], [0.6]]);
});
