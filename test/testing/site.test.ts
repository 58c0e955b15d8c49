import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { defineTool } from "mcp-headway";
import { of, timer } from "rxjs";
import { describe, expect, it } from "vitest";
import { DiagramError, type Marbles, marbles, toolCall } from "../../src/testing/index.ts";

const call = toolCall("t");
const tool = defineTool({ name: "t", description: "Ends after 2 ms", handler: () => timer(2) });
const never = defineTool({ name: "t", description: "Waits for a promise", handler: async () => "never" });

/** The lines that a stack names, the first first. */
const linesOf = (stack: string | undefined) =>
  [...(stack ?? "").matchAll(/site\.test\.ts:(\d+):/g)].map(([, at]) => Number(at));
/** The line that this is called from. */
const here = () => linesOf(new Error("").stack)[1] ?? Number.NaN;

function failureOf(test: (kit: Marbles) => void): DiagramError {
  try {
    marbles(test);
  } catch (error) {
    if (error instanceof DiagramError) return error;
    throw error;
  }
  throw new Error("Expected the test to fail");
}

describe("the stack of a marble test that fails begins", () => {
  it.each<[string, (kit: Marbles) => number]>([
    [
      "at `toEmit`",
      ({ expectCall }) => {
        expectCall(tool, call).toEmit("--(r|)");
        expectCall(tool, call).toEmit("-(r|)");
        return here() - 1;
      },
    ],
    [
      "at `toAbort`",
      ({ expectCall }) => {
        expectCall(tool, call, { subscription: "^!" }).toEmit("").toAbort("--!");
        return here() - 1;
      },
    ],
    [
      "at `toBe` of subscriptions",
      ({ cold, expectCall, expectSubscriptions }) => {
        const source = cold("--|");
        expectCall({ ...tool, handler: () => source }, call).toEmit("--(r|)");
        expectSubscriptions(source).toBe("^--!");
        return here() - 1;
      },
    ],
    [
      "at what proves nothing",
      ({ expectCall }) => {
        expectCall(never, call).toEmit("(r|)");
        return here() - 1;
      },
    ],
    [
      "at `expectCall` when nothing was expected of it",
      ({ expectCall }) => {
        expectCall(tool, call);
        return here() - 1;
      },
    ],
    [
      "at the first of several",
      ({ expectCall }) => {
        expectCall(tool, call).toEmit("(r|)");
        expectCall(tool, call).toEmit("-(r|)");
        return here() - 2;
      },
    ],
  ])("%s", (_, test) => {
    let line = 0;
    const { stack, message } = failureOf((kit) => {
      line = test(kit);
    });
    expect(linesOf(stack)[0]).toBe(line);
    expect(stack?.startsWith(`DiagramError: ${message}\n    at `)).toBe(true);
    expect(stack?.slice(`DiagramError: ${message}\n`.length).split("\n")[0]).toContain("site.test.ts");
  });

  it("at `marbles` when no call was expected at all", () => {
    const { stack } = failureOf(() => undefined);
    expect(stack).toContain("failureOf");
  });
});

it("an expectation of the scheduler's own counts as well", () => {
  const error = failureOf(({ scheduler, expectCall }) => {
    expectCall(tool, call).toEmit("--(r|)");
    scheduler.expectObservable(of("a")).toBe("(a|)");
    scheduler.expectObservable(of("a")).toBe("(b|)");
  });
  expect(error.message).toMatch(/^Expected the scheduler to show .*"b".*\ngot .*"a".*$/);
});

it("vitest shows the line of the expectation", async () => {
  const script = fileURLToPath(new URL("../fixtures/marbles/run.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, NO_COLOR: "1" } });
  const [[code], shown] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect(code).toBe(1);
  expect(shown).toContain("wrong.test.mjs:11:37\n");
  expect(shown).toMatch(/11\| .*toEmit\("-\(r\|\)"\); \/\/ the line that.*\n +\| +\^\n/);
});
