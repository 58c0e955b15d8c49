import { expect, expectTypeOf, it } from "vitest";
import { createRecorder } from "./recorder.ts";

function* generate() {
  yield "a";
  yield "b";
}

async function* generateAsync() {
  yield* generate();
}

const known: [string, Iterable<unknown>][] = [
  ["an array", ["a", "b"]],
  ["a set", new Set(["a", "b"])],
  [
    "a map",
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
  ],
];
const unknown: [string, () => Iterable<string> | AsyncIterable<string>][] = [
  ["a generator", generate],
  ["an async generator", generateAsync],
  ["an iterable of its own", () => ({ [Symbol.iterator]: generate })],
  ["an async iterable of its own", () => ({ [Symbol.asyncIterator]: generateAsync })],
];

it.each(known)("track over %s yields its items and knows the total", async (_, items) => {
  const { source, sent } = createRecorder();
  const seen: unknown[] = [];
  for await (const item of source.track(items)) seen.push(item);
  expect(seen).toEqual([...items]);
  expect(sent).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
});

it.each(unknown)("track over %s counts without a total", async (_, items) => {
  const { source, sent } = createRecorder();
  const seen: string[] = [];
  for await (const item of source.track(items(), (text, index) => `${text}${index}`)) seen.push(item);
  expect(seen).toEqual(["a", "b"]);
  expect(sent).toEqual([
    { progress: 1, message: "a0" },
    { progress: 2, message: "b1" },
  ]);
});

it("item n is reported when n+1 is requested or the end is reached", async () => {
  const { source, sent } = createRecorder();
  const items = source.track(["a", "b"])[Symbol.asyncIterator]();
  const counts: number[] = [];
  for (let step = await items.next(); ; step = await items.next()) {
    counts.push(sent.length);
    if (step.done === true) break;
  }
  expect(counts).toEqual([0, 1, 2]);
});

it("an early break reports the items before, not the one at hand, and closes the source", async () => {
  const { source, sent } = createRecorder();
  let closed = false;
  const items = (function* () {
    try {
      yield* [1, 2, 3];
    } finally {
      closed = true;
    }
  })();
  for await (const item of source.track(items)) if (item === 2) break;
  expect(sent).toEqual([{ progress: 1 }]);
  expect(closed).toBe(true);
});

it("a body that throws reports the items before and closes the source", async () => {
  const { source, sent } = createRecorder();
  const run = async () => {
    for await (const item of source.track([1, 2, 3])) if (item === 3) throw new Error("bad item");
  };
  await expect(run()).rejects.toThrow("bad item");
  expect(sent.map(({ progress }) => progress)).toEqual([1, 2]);
});

it("a source that fails fails the loop with its error", async () => {
  const { source, sent } = createRecorder();
  const items = (async function* () {
    yield 1;
    throw new Error("source failed");
  })();
  const run = async () => {
    for await (const item of source.track(items)) expect(item).toBe(1);
  };
  await expect(run()).rejects.toThrow("source failed");
  expect(sent).toEqual([{ progress: 1 }]);
});

it("never throws for order: two loops and an emitter share the line", async () => {
  const { source, sent } = createRecorder();
  source.longProgress().emit(2);
  const loop = async () => {
    let items = 0;
    for await (const _ of source.track([1, 2, 3, 4])) items += 1;
    return items;
  };
  expect(await Promise.all([loop(), loop()])).toEqual([4, 4]);
  expect(sent.map(({ progress }) => progress)).toEqual([2, 3, 4]);
});

it("nothing is reported over no items", async () => {
  const { source, sent } = createRecorder();
  for await (const item of source.track([])) expect.unreachable(String(item));
  expect(sent).toEqual([]);
});

it("goes on yielding after the end, asks for no message, and a diagnostic says so once", async () => {
  const { source, sent, diagnostics, finish } = createRecorder();
  const asked: number[] = [];
  const seen: number[] = [];
  const message = (item: number) => {
    asked.push(item);
    return "";
  };
  for await (const item of source.track([1, 2, 3], message)) {
    seen.push(item);
    if (item === 2) finish();
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(asked).toEqual([1]);
  expect(sent).toEqual([{ progress: 1, total: 3, message: "" }]);
  expect(diagnostics.map(({ type }) => type)).toEqual(["late-progress"]);
});

it("a message that is no string is a TypeError", async () => {
  const { source } = createRecorder({ listening: false });
  const run = async () => {
    for await (const item of source.track([1], (value) => value as never)) expect(item).toBe(1);
  };
  await expect(run()).rejects.toThrow(TypeError);
});

it("infers the items", () => {
  const { source } = createRecorder();
  expectTypeOf(source.track([1, 2])).toEqualTypeOf<AsyncIterable<number>>();
  expectTypeOf(source.track(new Map([["a", 1]]))).toEqualTypeOf<AsyncIterable<[string, number]>>();
  expectTypeOf(source.track(generateAsync())).toEqualTypeOf<AsyncIterable<"a" | "b">>();
  // @ts-expect-error a number holds no items
  const counted: AsyncIterable<number> = source.track(3);
  expectTypeOf(counted).toEqualTypeOf<AsyncIterable<number>>();
});

it("names what it cannot iterate, and says what to do with an Observable", async () => {
  const { source } = createRecorder();
  for (const items of [5, null, { subscribe: () => undefined }]) {
    const next = source
      .track(items as unknown as number[])
      [Symbol.asyncIterator]()
      .next();
    await expect(next).rejects.toThrow("report an Observable with `reportTo`");
  }
});
