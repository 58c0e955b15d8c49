/** What a program that uses a target has to install. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Outcome } from "../outcome.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** @type {import("./index.js").Measure} */
export const size = {
  name: "size",
  about: "files and bytes of an installation without development packages, by npm; needs its registry",
  carriers: ["sse"],
  rounds: 1,
  values: [
    { key: "packages", title: "installed packages", unit: "with required peers", digits: 0 },
    { key: "files", title: "installed files", unit: "with required peers", digits: 0 },
    { key: "mib", title: "installed size", unit: "MiB", digits: 1 },
  ],
  async run({ target: { packages } }) {
    if (packages === undefined) throw new Outcome("–", "nothing to install");
    const folder = await mkdtemp(join(tmpdir(), "bench-size-"));
    try {
      await writeFile(join(folder, "package.json"), '{ "private": true }\n');
      const specs = await Promise.all(packages.map((name) => spec(name, folder)));
      const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
      await run("npm", ["install", ...flags, ...specs], { cwd: folder, timeout: 120_000 });
      const { files, bytes } = await weigh(join(folder, "node_modules"));
      const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8"));
      return { packages: Object.keys(lock.packages).length - 1, files, mib: bytes / 1_048_576 };
    } catch (error) {
      throw new Outcome("–", error instanceof Error ? error.message : String(error));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** This package from its files, another in the version that is measured. @param {string} name @param {string} folder */
async function spec(name, folder) {
  const own = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  if (name !== own.name) return `${name}@${own.devDependencies[name]}`;
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  return `./${stdout.trim()}`;
}

/** @param {string} folder @returns {Promise<{ files: number, bytes: number }>} */
async function weigh(folder) {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return { files: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}
