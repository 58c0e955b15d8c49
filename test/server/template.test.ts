import fc from "fast-check";
import type { TemplateVariables } from "mcp-headway";
import { describe, expect, expectTypeOf, it } from "vitest";
import { parseTemplate } from "../../src/server/template.ts";

const match = (template: string, uri: string) => parseTemplate(template).match(uri);

describe("a URI template", () => {
  it.each([
    ["db://{table}/{id}", "db://users/7", { table: "users", id: "7" }],
    ["db://{table}/{id}", "db://users/7/8", undefined],
    ["db://{table}/{id}", "db://users/", undefined],
    ["db://{table}/{id}", "db:///7", undefined],
    ["db://{table}", "db://users?x", undefined],
    ["db://{table}", "db://users#x", undefined],
    ["file:///{+path}", "file:///a/b/c.txt", { path: "a/b/c.txt" }],
    ["file:///{+path}", "file:///", undefined],
    ["file:///{+path}.txt", "file:///a.txt.txt", { path: "a.txt" }],
    ["x://{a}-{b}", "x://1-2-3", { a: "1", b: "2-3" }],
    ["x://{a}.json", "x://a.json.json", { a: "a.json" }],
    ["x://{+p}/{a}-{b}", "x://p/q/1-2-3", { p: "p/q", a: "1-2", b: "3" }],
    ["x://{r}/{+p}/tail/{id}", "x://r/a/tail/b/tail/7", { r: "r", p: "a/tail/b", id: "7" }],
    ["x://{a}", "x://%D7%A9", { a: "ש" }],
    ["x://{a}", "x://..%2Fb", { a: "../b" }],
    ["x://{a}", "x://%zz", undefined],
    ["x://{a}", "y://1", undefined],
  ])("%s takes from %s %j", (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  it("finds a match wherever values were put in", () => {
    const value = fc.string({ unit: fc.constantFrom("a", "-", ".", "b"), minLength: 1, maxLength: 6 });
    const path = fc.string({ unit: fc.constantFrom("a", "-", ".", "/"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(value, value, path, value, (a, b, p, c) => {
        const uri = `x:${a}-${b}/${p}.-${c}`;
        const found = match("x:{a}-{b}/{+p}.-{c}", uri);
        expect(found).toBeDefined();
        expect(`x:${found?.a}-${found?.b}/${found?.p}.-${found?.c}`).toBe(uri);
      }),
    );
  });

  it("has variables that cannot reach a prototype", () => {
    const variables = match("x:{__proto__}/{constructor}", "x:1/2");
    expect(Object.entries(variables ?? {})).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
  });

  it("is matched in linear time", () => {
    const started = performance.now();
    expect(match("x:{a}-{b}-{+c}-{d}-{e}!", `x:${"-".repeat(1_000_000)}`)).toBeUndefined();
    expect(match("x:{a}a{b}a{c}a{d}!", `x:${"a".repeat(1_000_000)}`)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each([
    ["x:{?q}", "{?q}"],
    ["x:{#f}", "{#f}"],
    ["x:{/p}", "{/p}"],
    ["x:{.e}", "{.e}"],
    ["x:{;m}", "{;m}"],
    ["x:{&c}", "{&c}"],
    ["x:{a,b}", "{a,b}"],
    ["x:{a*}", "{a*}"],
    ["x:{a:3}", "{a:3}"],
    ["x:{}", "{}"],
    ["x:{a b}", "{a b}"],
    ["x:{a", "{a"],
    ["x:a}", "}"],
    ["x:{a}{b}", "{a}"],
    ["x:{a}/{a}", "{a}"],
    ["x:{+a}/{+b}", "{+b}"],
    ["x:plain", "an expression"],
    ["{a}/b", "scheme"],
  ])("refuses %s and names %s", (template, named) => {
    expect(() => parseTemplate(template)).toThrow(TypeError);
    expect(() => parseTemplate(template)).toThrow(named);
  });

  it("has its variables in its type", () => {
    expectTypeOf<TemplateVariables<"db://{table}/{+rest}">>().toEqualTypeOf<{
      readonly table: string;
      readonly rest: string;
    }>();
    expectTypeOf<TemplateVariables<string>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });
});
