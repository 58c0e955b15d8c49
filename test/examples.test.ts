import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const examples = fileURLToPath(new URL("../examples", import.meta.url));
const build = fileURLToPath(new URL("../build", import.meta.url));

/** Starts an example. Its output ends when the last process that holds it has: nothing is left behind. */
function start(name: string, ...flags: readonly string[]) {
  return watch(spawn(process.execPath, [join(build, `${name}.js`), ...flags]));
}

interface Circumstances {
  readonly CI: "true" | "false";
  readonly flags?: string;
}

/** Starts an example in a terminal. What is written to `child.stdin` is typed. */
function startInTerminal(name: string, { CI, flags = "" }: Circumstances) {
  const command = `stty rows 24 cols 80; exec '${process.execPath}' '${join(build, `${name}.js`)}' ${flags}`;
  return watch(spawn("script", ["-qec", command, "/dev/null"], { env: { ...process.env, CI } }));
}

function watch(child: ChildProcessWithoutNullStreams) {
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr })) };
}

beforeAll(() => {
  if (!existsSync(build)) throw new Error("Expected build/ to exist: run `npm run build:examples`");
});

describe("the stories", () => {
  const stories = readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== "demo.ts")
    .map((entry) => entry.name.replace(/\.ts$/, ""));

  it("are all found", () => {
    expect(stories).toEqual(expect.arrayContaining(["first", "tickets", "steps", "inbox"]));
  });

  it.concurrent.each(stories)("%s checks itself", async (story) => {
    const { code, stdout, stderr } = await start(story).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
  });
});

describe("the tests of handlers", () => {
  const source = readFileSync(join(examples, "testing/node.test.ts"), "utf8");

  it("pass under Node's own runner, and all of them run", async () => {
    const run = spawn(process.execPath, ["--test", "--test-reporter=tap", join(build, "testing/node.test.js")]);
    const { code, stdout, stderr } = await watch(run).ended;
    const count = source.match(/^test\(/gm)?.length ?? 0;
    expect(count).toBeGreaterThan(2);
    expect(stdout).toContain(`# pass ${count}\n# fail 0\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("the demo without a terminal", { timeout: 60_000 }, () => {
  it("ends with one digest from three carriers, and leaves no process behind", async () => {
    const { code, stdout, stderr } = await start("demo").ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^sha256 [0-9a-f]{64}$/m);
    for (const carrier of ["http", "websocket", "stdio"]) {
      expect(stdout).toMatch(new RegExp(`^${carrier} +100 %  [0-9]+ updates in [0-9.]+ s$`, "m"));
    }
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThan(200);
    expect(lines.flatMap((line, index) => (line === "" ? [index] : []))).toEqual([1, lines.length - 1]);
    expect(stdout).not.toContain("\u001b");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("is cancelled by %s", async (signal, expected) => {
    const { child, ended } = start("demo");
    await until(child.stdout, /^http +[1-9][0-9]* %/m);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: expected, stderr: "" });
    expect(stdout).toMatch(/^\w+ +cancelled after [0-9.]+ s\nCancelled\n$/m);
  });

  it("refuses a digest that there is none of", async () => {
    expect(await start("demo", "--algorithm", "crc").ended).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "Expected --algorithm to be one of sha256, sha384, sha512, got crc\n",
    });
  });

  it("takes its servers with it when it is killed", async () => {
    const { child, ended } = start("demo");
    await until(child.stdout, /^http +[1-9][0-9]* %/m);
    child.kill("SIGKILL");
    expect(await ended).toMatchObject({ signal: "SIGKILL" });
  });
});

const esc = "\u001b";
const arrowDown = `${esc}[B`;
const hideCursor = `${esc}[?25l`;
const showCursor = `${esc}[?25h`;
const sequence = new RegExp(`${esc}\\[[?0-9]*[A-Za-z]`, "g");
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

describe.runIf(hasTerminal)("the demo in a terminal", { timeout: 60_000 }, () => {
  it("draws in place, and on Ctrl-C says so and shows the cursor again", async () => {
    const { child, ended } = startInTerminal("demo", { CI: "false" });
    await until(child.stdout, /Which digest\?/);
    child.stdin.write("\r");
    await until(child.stdout, /http .* [1-9][0-9]* %/);
    child.stdin.write("\u0003");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(lettersOf(stdout)).toMatch(/^Cancelled\r$/m);
    expect(stdout).toContain(hideCursor);
    expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
  });

  it("asks once for three servers, and computes what is chosen", async () => {
    const { child, ended } = startInTerminal("demo", { CI: "false" });
    await until(child.stdout, /Which digest\?/);
    child.stdin.write(`${arrowDown}\r`);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.split("◇  Which digest?")).toHaveLength(2);
    expect(lettersOf(stdout)).toMatch(/ updates in [0-9.]+ s\r\n[0-9,]+ files, .+\r\nsha384 [0-9a-f]{96}\r\n$/);
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Escape", "\u001b"],
  ])("is cancelled by %s at the question", async (_, key) => {
    const { child, ended } = startInTerminal("demo", { CI: "false" });
    await until(child.stdout, /Which digest\?/);
    child.stdin.write(key);
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(lettersOf(stdout)).toMatch(/^■ {2}Which digest\?\r\n.+\r\nCancelled\r\n$/m);
  });

  it.each([
    ["in CI", { CI: "true" }],
    ["what is said by a flag", { CI: "false", flags: "--algorithm sha384" }],
  ] as const)("asks nobody %s", async (_, circumstances) => {
    const { child, ended } = startInTerminal("demo", circumstances);
    await until(child.stdout, /http .* [1-9][0-9]* %/);
    child.stdin.write("\u0003");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain("Which digest?");
  });
});

/** What was written, without what moves the cursor. */
function lettersOf(stdout: string): string {
  return stdout.replaceAll(sequence, "");
}

/** Resolves when the output matches. */
async function until(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<void> {
  let seen = "";
  await new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk) => {
      seen += chunk;
      if (pattern.test(seen)) resolve();
    });
    stream.on("end", () => reject(new Error(`Expected the output to match ${pattern}, got ${seen}`)));
  });
}
