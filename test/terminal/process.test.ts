import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { Terminal } from "./terminal.ts";

const fixture = fileURLToPath(new URL("../fixtures/live.mjs", import.meta.url));
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";

function watch(child: ChildProcessWithoutNullStreams) {
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })) };
}

const start = (way: string) => watch(spawn(process.execPath, [fixture, way]));

/** Runs the fixture in a real terminal. What is written to its stdin is typed. */
function startInTerminal(way: string, env: NodeJS.ProcessEnv = {}) {
  const command = `stty rows 24 cols 80; exec '${process.execPath}' '${fixture}' ${way}`;
  const terminal = { TERM: "xterm", NO_COLOR: "", ...env };
  return watch(spawn("script", ["-qec", command, "/dev/null"], { env: { ...process.env, ...terminal } }));
}

/** What is left on the screen. */
function pictureOf(output: string): readonly string[] {
  const terminal = new Terminal();
  terminal.write(output);
  return terminal.picture;
}

async function until(stream: NodeJS.ReadableStream, part: string): Promise<void> {
  let seen = "";
  await new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk) => {
      seen += chunk;
      if (seen.includes(part)) resolve();
    });
    stream.on("end", () => reject(new Error(`Expected the output to contain ${part}, got ${seen}`)));
  });
}

describe("a process whose output is piped", () => {
  it("writes plain lines", async () => {
    expect(await start("end").ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^import {3}50 % {2}half\nimport {2}ended after 0\.\d s\nbye\n$/),
      stderr: "",
    });
  });

  it("ends although a line is open", async () => {
    expect(await start("leave").ended).toMatchObject({ code: 0, stdout: "import   50 %  half\n" });
  });

  it("lives on when nobody reads any more", async () => {
    const child = spawn(process.execPath, [fixture, "end"]);
    child.stdout.destroy();
    const [[code], stderr] = await Promise.all([once(child, "exit"), text(child.stderr)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe.runIf(hasTerminal)("a process in a terminal", () => {
  it("draws, clears its line and shows the cursor again", async () => {
    const { code, stdout } = await startInTerminal("end").ended;
    expect(code).toBe(0);
    expect(stdout).toContain("half");
    expect(stdout).not.toMatch(/forged|\[2J/);
    expect(stdout).toContain(hideCursor);
    expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
    expect(pictureOf(stdout)).toEqual(["bye"]);
  });

  it("shows the cursor again when it is interrupted", async () => {
    const { child, ended } = startInTerminal("stay");
    await until(child.stdout, "half");
    child.stdin.write("\u0003");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).toContain(hideCursor);
    expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
  });

  it("ends although a line is open", async () => {
    expect(await startInTerminal("leave").ended).toMatchObject({ code: 0 });
  });

  it("leaves the terminal to a prompt", async () => {
    const { child, ended } = startInTerminal("ask");
    await until(child.stdout, "Sure?");
    child.stdin.write("yes\r");
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const asked = stdout.slice(stdout.indexOf("Sure?"), stdout.indexOf("answered"));
    expect(asked).not.toContain("half");
    expect(pictureOf(stdout)).toEqual(["Sure? yes", "  import  answered yes"]);
  });

  it("draws without colours when NO_COLOR says so, and not at all on a dumb terminal", async () => {
    const colour = "\u001b[36m";
    const [painted, plain, dumb] = await Promise.all(
      [{}, { NO_COLOR: "1" }, { TERM: "dumb" }].map((env) => startInTerminal("end", env).ended),
    );
    expect(painted?.stdout).toContain(colour);
    expect(plain?.stdout).toContain(hideCursor);
    expect(plain?.stdout).not.toContain(colour);
    expect(dumb?.stdout).toMatch(/^import {3}50 % {2}half\r\nimport {2}ended after 0\.\d s\r\nbye\r\n$/);
  });
});
