import fc from "fast-check";
import { createLiveLines } from "mcp-headway/terminal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Clock, Pipe, Terminal } from "./terminal.ts";

const question = { type: "elicitation", key: "k", request: { method: "elicitation/create", params: {} } } as const;

function stage() {
  const pipe = new Pipe();
  const clock = new Clock();
  return { pipe, clock, live: createLiveLines({ stream: pipe, scheduler: clock, plainEveryMs: 1_000 }) };
}

afterEach(() => vi.unstubAllEnvs());

describe("without a terminal", () => {
  it("a call speaks at its first update, then once in a while if there is news, and at its end", () => {
    const { pipe, clock, live } = stage();
    const { update, close } = live.open("import");
    clock.pass(500);
    expect(pipe.lines).toEqual([]);
    for (let progress = 1; progress <= 20; progress += 1) {
      update({ progress, total: 40, message: `article ${progress}` });
      clock.pass(100);
    }
    clock.pass(5_000);
    close();
    expect(pipe.lines).toEqual([
      "import    2 %  article 1",
      "import   25 %  10/s  0:03 left  article 10",
      "import   50 %  10/s  0:02 left  article 20",
      "import  ended after 7.5 s",
    ]);
  });

  it("several calls stand in columns", () => {
    const { pipe, live } = stage();
    const one = live.open("one");
    const other = live.open("another");
    one.update({ progress: 12 });
    other.update(question);
    one.close("all of them");
    other.close();
    expect(pipe.lines).toEqual([
      "one         12",
      "another  asking",
      "one      all of them",
      "another  ended after 0.0 s",
    ]);
  });

  it("what is to stay is a line like others, also what is said while a prompt is open", () => {
    const { pipe, clock, live } = stage();
    const { update } = live.open("import");
    live.pause();
    update({ progress: 1 });
    live.log("a note");
    clock.pass(500);
    expect(pipe.lines).toEqual([]);
    live.resume();
    expect(pipe.lines).toEqual(["a note"]);
    clock.pass(500);
    expect(pipe.lines).toEqual(["a note", "import      1"]);
  });

  it("a call has its figures whole or not at all, and the message is what is shortened", () => {
    const print = (columns: number) => {
      const pipe = Object.assign(new Pipe(), { columns });
      const clock = new Clock();
      const live = createLiveLines({ stream: pipe, scheduler: clock, plainEveryMs: 1_000 });
      const { update } = live.open("n");
      update({ progress: 10, total: 100, message: "tea from Assam" });
      clock.pass(900);
      update({ progress: 20, total: 100, message: "tea from Assam" });
      clock.pass(100);
      return pipe.lines[1];
    };
    expect([50, 40, 28, 26, 20, 10].map(print)).toEqual([
      "n   20 %  11/s  0:08 left  tea from Assam",
      "n   20 %  11/s  0:08 left  tea from Ass…",
      "n   20 %  11/s  0:08 left  …",
      "n   20 %  11/s  0:08 left",
      "n   20 %  11/s  tea…",
      "n   20 %",
    ]);
  });

  it("no timer is left when the calls have ended", () => {
    const { clock, live } = stage();
    live.open("one").update({ progress: 1 });
    clock.pass(100);
    expect(clock.actions).toHaveLength(1);
    live.close();
    expect(clock.actions).toHaveLength(0);
  });

  it("lines are as long as there are columns, 80 where nobody knows, and never hold control characters", () => {
    const hostile = fc.array(fc.oneof(fc.constantFrom("\u001b", "\u009b", "\n", "\r"), fc.string({ unit: "binary" })));
    fc.assert(
      fc.property(hostile, hostile, (name, message) => {
        const { pipe, live } = stage();
        live.open(name.join("")).update({ progress: 1, message: message.join("") });
        live.close();
        expect(pipe.lines).toHaveLength(2);
        expect(pipe.lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
    const { pipe, live } = stage();
    live.open("n").update({ progress: 1, message: "x".repeat(200) });
    expect(pipe.lines[0]).toHaveLength(80);
  });
});

it.each([
  ["a dumb terminal", { TERM: "dumb" }, {}],
  ["a terminal without a size", { TERM: "xterm" }, { rows: 0, columns: 0 }],
])("%s gets plain lines", (_, { TERM }, size) => {
  const print = (terminal: Terminal, term: string): string => {
    vi.stubEnv("TERM", term);
    const clock = new Clock();
    const live = createLiveLines({ stream: terminal, scheduler: clock });
    live.open("one").update({ progress: 1 });
    clock.pass(100);
    live.close();
    return terminal.raw;
  };
  expect(print(new Terminal(size), TERM)).not.toContain("\u001b");
  expect(print(new Terminal(size), TERM)).toMatch(/^one {2,}1\r?\n/);
  expect(print(new Terminal(), "xterm")).toContain("\u001b");
});
