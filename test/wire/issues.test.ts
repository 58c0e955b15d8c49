import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formatIssues } from "../../src/wire/index.ts";

function issuesOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? "" : formatIssues(error);
}

describe("issues", () => {
  it("name the path of each", () => {
    const schema = z.object({ city: z.string(), tags: z.array(z.object({ id: z.number() })) });
    expect(issuesOf(schema, { city: 5, tags: [{ id: 1 }, { id: "x" }] })).toBe(
      "`city`: Invalid input: expected string, received number; " +
        "`tags[1].id`: Invalid input: expected number, received string",
    );
    expect(issuesOf(schema, { city: "a", tags: [] })).toBe("");
  });

  it("have no path at the root", () => {
    expect(issuesOf(z.object({}), 5)).toBe("Invalid input: expected object, received number");
  });

  it("name what each branch of a union expects", () => {
    const schema = z.object({ id: z.union([z.string(), z.number(), z.object({ a: z.string() })]) });
    expect(issuesOf(schema, { id: { a: 1 } })).toBe(
      "`id`: Invalid input: expected string, received object, or Invalid input: expected number, received object, " +
        "or `a`: Invalid input: expected string, received number",
    );
  });

  it("are cut short by length, whatever keys were sent", () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, 1]));
    const text = issuesOf(z.strictObject({}), keys);
    expect(text).toContain("key 0");
    expect(text).toMatch(/…$/);
    expect(text.length).toBeLessThan(1_100);
    for (const before of ["a".repeat(500), "a".repeat(501)]) {
      const whole = issuesOf(z.strictObject({}), { [before + "😀".repeat(500)]: 1 });
      expect(whole).toMatch(/😀…$/u);
    }
  });

  it("are cut short", () => {
    const text = issuesOf(z.array(z.string()), Array(1_000).fill(0));
    expect(text).toContain("`[9]`");
    expect(text).not.toContain("`[10]`");
    expect(text).toMatch(/; and 990 more$/);
  });
});
