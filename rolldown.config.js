import { readFileSync } from "node:fs";
import { defineConfig } from "rolldown";

const { exports: entries } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Each entry's source, by the path of what is made of it. */
const input = Object.fromEntries(
  Object.values(entries)
    .map((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default ?? "")?.[1])
    .filter((path) => path !== undefined)
    .map((path) => [path, `src/${path}.ts`]),
);

/** rolldown declares classes with `var`. V8 takes a `const` for what it is, and calls what it holds directly. */
const constantClasses = {
  name: "constant-classes",
  /** @param {string} code */
  renderChunk: (code) => code.replaceAll(/^var (\w+) = class/gm, "const $1 = class"),
};

export default defineConfig({
  input,
  plugins: [constantClasses],
  external: /^[^./]/,
  platform: "node",
  output: { dir: "dist", format: "esm", chunkFileNames: "chunks/[name].js" },
});
