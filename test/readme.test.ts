import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The blocks of a page that hold JavaScript or TypeScript, each with the line before it. */
function blocksOf(page: string) {
  const blocks: { readonly before: string; readonly code: string }[] = [];
  const lines = page.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = "", fence, language = ""] = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(lines[at] ?? "") ?? [];
    if (fence === undefined) continue;
    const start = at + 1;
    do at += 1;
    while (at < lines.length && !lines[at]?.trim().startsWith(fence));
    if (!/^([mc]?[tj]s|[tj]sx|typescript|javascript)$/i.test(language)) continue;
    const code = lines.slice(start, at).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ before: lines[start - 2]?.trim() ?? "", code: code.join("\n").trimEnd() });
  }
  return blocks;
}

/** The lines between `// #region name` and the next `// #endregion`, without their common indent. */
function regionOf(source: string, name: string): string | undefined {
  const lines = source.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const length = lines.slice(start).findIndex((line) => line.trim() === "// #endregion");
  if (start < 0 || length < 0) return undefined;
  const region = lines.slice(start + 1, start + length);
  const indent = Math.min(...region.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return region
    .map((line) => line.slice(indent))
    .join("\n")
    .trim();
}

/** What is wrong with the code of a page, one line for each block that is not what its example says. */
function drift(page: string, readExample: (file: string) => string | undefined): readonly string[] {
  return blocksOf(page).flatMap(({ before, code }) => {
    const [, file, name] = /^<!-- example: (\S+)#(\S+) -->$/.exec(before) ?? [];
    const title = code.split("\n").find((line) => line.trim() !== "") ?? "an empty block";
    if (file === undefined || name === undefined) return [`no example is named before: ${title}`];
    const region = regionOf(readExample(file) ?? "", name);
    if (region === undefined) return [`${file} has no region ${name}`];
    return region === code ? [] : [`differs from ${file}#${name}: ${title}`];
  });
}

function readExample(file: string): string | undefined {
  const path = new URL(`../examples/${file}`, import.meta.url);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const root = new URL("../", import.meta.url);
const pages = ["README.md", ...readdirSync(new URL("docs", root), { recursive: true }).map((name) => `docs/${name}`)];
const withCode = ["README.md", "docs/asking.md", "docs/reporting.md", "docs/official-sdk.md"];

describe("the pages that show code", () => {
  it("are all found", () => {
    expect(pages).toEqual(expect.arrayContaining(withCode));
    for (const page of withCode) expect(blocksOf(readPage(page)).length).toBeGreaterThan(0);
  });

  it.each(pages.filter((page) => page.endsWith(".md")))("shows in %s only code that the examples run", (page) => {
    expect(drift(readPage(page), readExample)).toEqual([]);
  });
});

/** The files that a page links to, without what follows a `#`. */
function linksOf(page: string): string[] {
  return [...readPage(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
}

it.each(pages.filter((page) => page.endsWith(".md")))("links in %s only to what is there", (page) => {
  const dead = linksOf(page).filter((link) => !existsSync(new URL(link, new URL(page, root))));
  expect(dead).toEqual([]);
});

it("finds the links of a page", () => {
  expect(linksOf("README.md")).toEqual(expect.arrayContaining(["docs/asking.md", "CHANGELOG.md"]));
});

function readPage(page: string): string {
  return readFileSync(new URL(page, root), "utf8");
}

describe("the comparison of a page with its examples", () => {
  const example = [
    "const a = 1;",
    "{",
    "  // #region inner",
    "  const b = 2;",
    "",
    "    b + a;",
    "  // #endregion",
    "}",
  ];
  const read = (file: string) => (file === "a.ts" ? example.join("\n") : undefined);
  const page = (marker: string, code: string, language = "ts") =>
    `Text\n\n${marker}\n\`\`\`${language}\n${code}\n\`\`\`\n`;
  const marker = "<!-- example: a.ts#inner -->";
  const inner = "const b = 2;\n\n  b + a;";

  it("accepts a block that equals its region, whatever the region's indent", () => {
    expect(drift(page(marker, inner), read)).toEqual([]);
  });

  it("reports a block that differs by one character", () => {
    expect(drift(page(marker, inner.replace("2", "3")), read)).toEqual(["differs from a.ts#inner: const b = 3;"]);
  });

  it.each(["ts", "typescript", "js", "mts", "tsx", "ts twoslash"])(
    "reports a %s block without a marker",
    (language) => {
      expect(drift(page("", inner, language), read)).toEqual(["no example is named before: const b = 2;"]);
    },
  );

  it("reports a marker that is not in the line before the block", () => {
    expect(drift(page(`${marker}\n`, inner), read)).toHaveLength(1);
  });

  it("reports a region or a file that does not exist", () => {
    expect(drift(page("<!-- example: a.ts#outer -->", inner), read)).toEqual(["a.ts has no region outer"]);
    expect(drift(page("<!-- example: b.ts#inner -->", inner), read)).toEqual(["b.ts has no region inner"]);
  });

  it("leaves other languages alone, and what looks like code inside them", () => {
    expect(drift(page("", "npm install", "sh"), read)).toEqual([]);
    expect(drift("~~~md\n```ts\nconst a = 1;\n```\n~~~\n", read)).toEqual([]);
  });
});
