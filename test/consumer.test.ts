import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "mcp-headway-consumer-"));
/** What a user has beside the package: its dependencies and peers, and the types of Node. */
const installed = ["rxjs", "zod", "ws", "@types/node", "undici-types", "tslib"];

beforeAll(() => {
  cpSync(join(root, "test/consumer"), project, { recursive: true });
  for (const name of installed) {
    const target = join(project, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, "node_modules", name), target);
  }
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
      cwd: root,
      encoding: "utf8",
    }),
  );
  const home = join(project, "node_modules/mcp-headway");
  mkdirSync(home);
  execFileSync("tar", ["-xzf", join(project, packed.filename), "--strip-components=1", "-C", home]);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("a consumer of the packed package", () => {
  it("compiles with library declarations checked, without the types of ws and without the SDK", () => {
    const { status, stdout } = compile();
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  it("does not compile when it hands a tool the wrong result", () => {
    const source = readFileSync(join(project, "index.ts"), "utf8");
    const wrong = source.replace("return { counted: to };", "return { counted: String(to) };");
    expect(wrong).not.toBe(source);
    const { status, stdout } = compile(wrong);
    expect(status).not.toBe(0);
    expect(stdout).toContain("counted");
  });

  it("finds no declaration that names a type of ws", () => {
    const found = spawnSync("grep", [
      "-rlE",
      `from ["']ws["']`,
      join(project, "node_modules/mcp-headway/dist"),
      "--include=*.d.ts",
    ]);
    expect(found.stdout.toString()).toBe("");
    // The control: the code itself does import ws.
    const used = spawnSync("grep", [
      "-rlE",
      `from ["']ws["']`,
      join(project, "node_modules/mcp-headway/dist"),
      "--include=*.js",
    ]);
    expect(used.stdout.toString()).not.toBe("");
  });
});

function compile(source?: string): { status: number | null; stdout: string } {
  const folder = source === undefined ? project : mkdtempSync(join(project, "variant-"));
  if (source !== undefined) {
    cpSync(join(project, "tsconfig.json"), join(folder, "tsconfig.json"));
    writeFileSync(join(folder, "index.ts"), source);
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
}
