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

export default defineConfig({
  input,
  external: /^[^./]/,
  platform: "node",
  output: { dir: "dist", format: "esm", chunkFileNames: "chunks/[name].js" },
});
