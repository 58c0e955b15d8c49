import { describe, expect, it, vi } from "vitest";
import { aeadCodec } from "../../src/mrtr/index.ts";
import { fixture } from "./peers.ts";
import { type Message, rawPeer } from "./wire.ts";

const order = { arguments: { item: "tea" } };
const answers = {
  first: { action: "accept", content: { colour: "red" } },
  second: { action: "accept", content: { colour: "blue" } },
};
const refused = { code: -32602, message: "Invalid or expired requestState" };
const last = (messages: readonly Message[]): Message => messages.at(-1) ?? {};
const stateOf = (messages: readonly Message[]): string => last(messages).result?.requestState ?? "";
const textOf = (messages: readonly Message[]) => last(messages).result?.content?.[0]?.text;

function altered(state: string): string {
  const at = state.length - 5;
  return state.slice(0, at) + (state[at] === "A" ? "B" : "A") + state.slice(at + 1);
}

describe("a state that the client carries", () => {
  it("opens for the same call, and then only what is left is asked", async () => {
    const post = await rawPeer();
    const state = stateOf(await post("tools/call", "order", order));
    const next = await post("tools/call", "order", { ...order, requestState: state, inputResponses: answers });
    expect(Object.values(last(next).result?.inputRequests ?? {})).toMatchObject([{ params: { mode: "url" } }]);
  });

  const foreign = aeadCodec([{ id: "test", secret: new Uint8Array(32).fill(8) }]);
  it.each<[string, (state: string) => string | Promise<string>]>([
    ["altered", altered],
    ["cut short", (state) => state.slice(0, -20)],
    ["sealed with a foreign key", () => foreign.seal("{}")],
    ["made up", () => "made up"],
    ["empty", () => ""],
  ])("is refused with -32602 when it is %s, and nothing runs", async (_title, change) => {
    const post = await rawPeer();
    const { runs } = await fixture();
    const state = stateOf(await post("tools/call", "order", order));
    const before = runs.charge;
    const params = { ...order, requestState: await change(state), inputResponses: answers };
    expect(last(await post("tools/call", "order", params)).error).toMatchObject(refused);
    expect(runs.charge).toBe(before);
    // The same state, as it was, is one that opens.
    const whole = await post("tools/call", "order", { ...params, requestState: state });
    expect(last(whole).error).toBeUndefined();
  });

  it("is refused when its time is over", async () => {
    const post = await rawPeer();
    const state = stateOf(await post("tools/call", "order", order));
    const later = Date.now() + 1_800_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(later);
    const answer = last(await post("tools/call", "order", { ...order, requestState: state }));
    clock.mockRestore();
    expect(answer.error).toMatchObject(refused);
  });

  it("is refused for other arguments and another tool, before the handler", async () => {
    const post = await rawPeer();
    const { runs } = await fixture();
    const state = stateOf(await post("tools/call", "order", order));
    const before = runs.charge;
    const other = await post("tools/call", "order", { arguments: { item: "milk" }, requestState: state });
    expect(last(other).result).toMatchObject({ isError: true });
    expect(textOf(other)).toMatch(/requestState/);
    const elsewhere = await post("tools/call", "wrapped", { arguments: { to: 2 }, requestState: state });
    expect(textOf(elsewhere)).toMatch(/requestState/);
    const prompt = await post("prompts/get", "greet", { arguments: { tone: "wry" }, requestState: state });
    expect(last(prompt).error).toMatchObject(refused);
    expect(runs.charge).toBe(before);
  });

  it("is refused with -32602 for other arguments of a prompt, and another resource", async () => {
    const post = await rawPeer();
    const warm = await post("prompts/get", "greet", { arguments: { tone: "warm" } });
    const wry = await post("prompts/get", "greet", { arguments: { tone: "wry" }, requestState: stateOf(warm) });
    const seven = await post("resources/read", "memo://rows/7", {});
    const eight = await post("resources/read", "memo://rows/8", { requestState: stateOf(seven) });
    const again = await post("resources/read", "memo://rows/7", { requestState: stateOf(seven) });
    expect([last(wry).error?.code, last(eight).error?.code]).toEqual([-32602, -32602]);
    expect(last(again).result?.inputRequests).toBeDefined();
  });

  it("is refused without the hook as well, as a result of the tool", async () => {
    const post = await rawPeer({ hook: false });
    const state = stateOf(await post("tools/call", "order", order));
    const answer = await post("tools/call", "order", { ...order, requestState: altered(state) });
    expect(last(answer).result).toMatchObject({ isError: true });
    const whole = await post("tools/call", "order", { ...order, requestState: state, inputResponses: answers });
    expect(last(whole).result?.inputRequests).toBeDefined();
  });

  it("of the host's own goes to the host's hook, and its tool reads what that hook gave", async () => {
    const post = await rawPeer();
    const first = await post("tools/call", "host", { arguments: { a: "tea" } });
    expect(stateOf(first)).toBe("own:2");
    const second = await post("tools/call", "host", { arguments: { a: "tea" }, requestState: "own:2" });
    expect(textOf(second)).toBe("tea at step 2");
    expect(last(await post("tools/call", "order", { ...order, requestState: "own:2" })).result).toMatchObject({
      isError: true,
    });
  });
});

describe("progress", () => {
  it.each([0, "", "a", 7])("goes out under the token %j, as it came", async (token) => {
    const post = await rawPeer();
    const messages = await post("tools/call", "count", { arguments: { to: 2 } }, token);
    expect(messages.slice(0, -1).map(({ params }) => [params?.progressToken, params?.progress])).toEqual([
      [token, 1],
      [token, 2],
    ]);
  });

  it("goes on above the mark of the round before", async () => {
    const post = await rawPeer();
    const first = await post("tools/call", "order", order, "a");
    const retry = { ...order, requestState: stateOf(first), inputResponses: answers };
    const second = await post("tools/call", "order", retry, "b");
    const values = (messages: readonly Message[]) => messages.slice(0, -1).map(({ params }) => params?.progress);
    expect([values(first), values(second)]).toEqual([[0.25], [0.5]]);
  });

  it("is no longer sent when the client asked for none", async () => {
    const post = await rawPeer();
    expect(await post("tools/call", "count", { arguments: { to: 2 } })).toHaveLength(1);
  });
});

it("an answer carries what the official server says of itself, and only that", async () => {
  const post = await rawPeer();
  const { result } = last(await post("tools/call", "count", { arguments: { to: 1 } }));
  expect(result?._meta).toEqual({ "io.modelcontextprotocol/serverInfo": { name: "host", version: "1.0.0" } });
  const read = last(await post("resources/read", "memo://note", {}));
  expect(read.result).toMatchObject({ ttlMs: 1_000, cacheScope: "public", resultType: "complete" });
});
