import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
}

/** The table of the map in `src/README.md`. A new folder needs a place here and there. */
const table: Readonly<Record<string, Layer>> = {
  errors: { layers: [], packages: [] },
  progress: { layers: ["errors"], packages: ["rxjs"] },
  events: { layers: ["errors", "progress"], packages: ["rxjs"] },
  mrtr: { layers: ["errors", "progress", "events"], packages: ["rxjs", "zod"] },
  wire: { layers: ["errors", "progress", "events", "mrtr"], packages: ["zod"] },
  server: { layers: ["errors", "progress", "events", "mrtr", "wire"], packages: ["rxjs", "zod"] },
  transports: { layers: ["errors", "events", "wire"], packages: ["rxjs"] },
  client: { layers: ["errors", "progress", "events", "wire", "transports"], packages: ["rxjs"] },
  testing: {
    layers: ["errors", "progress", "events", "mrtr", "wire", "server", "transports", "client"],
    packages: ["rxjs", "rxjs/testing"],
  },
  terminal: { layers: ["errors", "events", "progress", "client"], packages: ["rxjs", "log-update", "cli-truncate"] },
  sdk: {
    layers: ["errors", "progress", "events", "mrtr", "wire", "server", "transports"],
    packages: ["rxjs", "zod", "@modelcontextprotocol/server"],
  },
};

/** Carriers that meet the platform. */
const platform: Readonly<Record<string, readonly RegExp[]>> = {
  "transports/http.ts": [/^node:/],
  "transports/stdio.ts": [/^node:/],
  "transports/websocket.ts": [/^node:/, /^ws$/],
  "sdk/websocket.ts": [/^node:/, /^ws$/],
};

/** The second way into a layer, for files that meet the platform. */
const platformDoor = "transports/node.ts";

/** The package's own entry sees every layer that it re-exports. */
const entry = "index.ts";

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && item.name.endsWith(".ts"))
    .map((item) => relative(folder, join(item.parentPath, item.name)));
}

function importsOf(file: string, text: string): Import[] {
  const statement =
    /^(?:import|export)\s+(type\s)?[^"']*?from\s+["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|^import\s+["']([^"']+)["']/gm;
  return [...text.matchAll(statement)].map((match) => ({
    file,
    specifier: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

function layerOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : file.replace(/\.ts$/, "");
}

/** What is wrong with an import, if anything. */
function fault({ file, specifier, typeOnly }: Import, reached: ReadonlySet<string>): string | undefined {
  if (file === entry) return undefined;
  const from = layerOf(file);
  const allowed = table[from];
  if (allowed === undefined) return `${file}: the folder has no place in the table`;
  if (!specifier.startsWith(".")) {
    const open = [...(platform[file] ?? []), ...[...reached].flatMap((carrier) => platform[carrier] ?? [])];
    const known = allowed.packages.includes(specifier) || open.some((pattern) => pattern.test(specifier));
    return known ? undefined : `${file} imports ${specifier}`;
  }
  const target = normalize(join(dirname(file), specifier));
  const to = layerOf(target);
  if (to === from) return undefined;
  if (!allowed.layers.includes(to)) return `${file} imports ${target}`;
  if (from === "wire" && to === "mrtr" && !typeOnly) return `${file} imports more than types from mrtr`;
  const meetsPlatform = file in platform || reached.size > 0;
  if (target === platformDoor && meetsPlatform) return undefined;
  if (to !== "errors" && target !== `${to}/index.ts`) return `${file} enters ${to} past its index.ts`;
  return undefined;
}

/** Which carriers a file beside them belongs to: those that reach it, when its layer's `index.ts` does not. */
function carriersReaching(imports: readonly Import[]): Map<string, Set<string>> {
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [start];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      for (const edge of imports) {
        if (edge.file === file && edge.specifier.startsWith(".")) {
          queue.push(normalize(join(dirname(file), edge.specifier)));
        }
      }
    }
    return seen;
  };
  const beside = ["transports", "sdk"];
  const shared = new Set(beside.flatMap((layer) => [...reach(`${layer}/index.ts`)]));
  const owners = new Map<string, Set<string>>();
  for (const carrier of Object.keys(platform)) {
    for (const file of reach(carrier)) {
      if (!beside.includes(layerOf(file)) || shared.has(file)) continue;
      owners.set(file, (owners.get(file) ?? new Set()).add(carrier));
    }
  }
  return owners;
}

function faults(sources: ReadonlyMap<string, string>): string[] {
  const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));
  const owners = carriersReaching(imports);
  const wrong = imports.map((item) => fault(item, owners.get(item.file) ?? new Set()));
  return wrong.filter((item) => item !== undefined);
}

const sources = new Map(filesBelow(src).map((file) => [file, readFileSync(join(src, file), "utf8")]));

describe("the layers", () => {
  it("import only downward, through index.ts, and only their packages", () => {
    expect(sources.size).toBeGreaterThan(30);
    expect(faults(sources)).toEqual([]);
  });

  it.each([
    ["progress/double.ts", 'import { x } from "../events/index.ts";'],
    ["server/server.ts", 'import { x } from "../transports/index.ts";'],
    ["transports/pump.ts", 'import { x } from "../server/index.ts";'],
    ["transports/pump.ts", 'import { x } from "node:http";'],
    ["client/connect.ts", 'import { x } from "../transports/node.ts";'],
    ["sdk/websocket-outbox.ts", 'import { x } from "../transports/http.ts";'],
    ["events/line.ts", 'import { x } from "node:timers";'],
    ["events/line.ts", 'import { x } from "../progress/guard.ts";'],
    ["wire/encode.ts", 'import { x } from "../mrtr/index.ts";'],
    ["attic/new.ts", 'import { x } from "../errors.ts";'],
  ])("are broken by %s with %s", (file, text) => {
    expect(faults(new Map([...sources, [file, text]]))).toHaveLength(1);
  });

  it("have all their folders in the table", () => {
    const folders = new Set([...sources.keys()].map(layerOf));
    folders.delete("index");
    expect([...folders].filter((folder) => !(folder in table))).toEqual([]);
  });

  it("keep Node out of progress, events and mrtr", () => {
    const project = fileURLToPath(new URL("./portable/tsconfig.json", import.meta.url));
    expect(compile(["-p", project])).toEqual({ status: 0, output: "" });
    // The control: a carrier does not compile there.
    const control = ["--noEmit", "--types", "", "--lib", "es2023,dom", "--module", "nodenext"];
    expect(
      compile([...control, "--ignoreConfig", "--allowImportingTsExtensions", join(src, "transports/warn.ts")]).status,
    ).not.toBe(0);
  });
});

function compile(args: readonly string[]): { status: number | null; output: string } {
  const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { encoding: "utf8" });
  return { status, output: stdout };
}
