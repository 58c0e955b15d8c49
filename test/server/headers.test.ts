import { defineTool } from "mcp-headway";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, errorOf, resultOf, serverOf } from "./kit.ts";

const mirrored = (name: string) => ({ "x-mcp-header": name });
let runs = 0;
const query = defineTool({
  name: "query",
  description: "d",
  inputSchema: z.object({
    region: z.string().optional().meta(mirrored("Region")),
    limit: z.int().optional().meta(mirrored("Limit")),
    dry: z.boolean().optional().meta(mirrored("Dry-Run")),
    where: z.object({ zone: z.string().nullable().meta(mirrored("Zone")) }).optional(),
  }),
  handler: () => {
    runs += 1;
    return "ran";
  },
});
const { server } = serverOf({ tools: [query] });
const send = (args: unknown, headers: Record<string, string>, onHttp = true) => {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (onHttp) all.set("mcp-method", "tools/call");
  const header = (name: string) => all.get(name.toLowerCase());
  return ask(server, "tools/call", { name: "query", arguments: args }, { header });
};

describe("an argument that is mirrored into a header", () => {
  it.each([
    [{ region: "eu" }, { "Mcp-Param-Region": "eu" }],
    [{ region: "שלום" }, { "Mcp-Param-Region": `=?base64?${btoa("×©×\u009c×\u0095×\u009d")}?=` }],
    [{ region: "" }, { "Mcp-Param-Region": "" }],
    [{ limit: 42 }, { "mcp-param-limit": "42" }],
    [{ limit: 42 }, { "mcp-param-limit": "42.0" }],
    [{ limit: -7 }, { "mcp-param-limit": "-7" }],
    [{ dry: true }, { "Mcp-Param-Dry-Run": "true" }],
    [{ where: { zone: "z1" } }, { "Mcp-Param-Zone": "z1" }],
    [{ where: { zone: null } }, {}],
    [{}, {}],
  ])("passes when they agree: %j, %j", async (args, headers) => {
    expect(resultOf(await send(args, headers))).toMatchObject({ content: [{ text: "ran" }] });
  });

  it.each([
    ["is missing", { region: "eu" }, {}],
    ["differs", { region: "eu" }, { "Mcp-Param-Region": "us" }],
    ["differs in case", { region: "eu" }, { "Mcp-Param-Region": "EU" }],
    ["is malformed", { region: "eu" }, { "Mcp-Param-Region": "=?base64?%%?=" }],
    ["is another number", { limit: 42 }, { "mcp-param-limit": "43" }],
    ["is a number in another notation", { limit: 42 }, { "mcp-param-limit": "0x2a" }],
    ["is another boolean", { dry: true }, { "Mcp-Param-Dry-Run": "True" }],
    ["is nested and differs", { where: { zone: "z1" } }, { "Mcp-Param-Zone": "z2" }],
    ["has nothing in the body", {}, { "Mcp-Param-Region": "eu" }],
    ["has null in the body", { where: { zone: null } }, { "Mcp-Param-Zone": "z1" }],
  ])("gives -32020 before the handler runs when its header %s", async (_, args, headers) => {
    runs = 0;
    expect(errorOf(await send(args, headers)).code).toBe(-32020);
    expect(runs).toBe(0);
    await send({}, {});
    expect(runs).toBe(1);
  });

  it("of the wrong type is judged by its schema", async () => {
    expect(resultOf(await send({ region: { a: 1 } }, {}))).toMatchObject({ isError: true });
  });

  it("needs no header off HTTP", async () => {
    expect(resultOf(await send({ region: "eu" }, {}, false))).toMatchObject({ content: [{ text: "ran" }] });
  });
});
