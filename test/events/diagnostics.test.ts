import { EMPTY, map, NEVER, Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import { type Diagnostic, Diagnostics, type Servable } from "../../src/events/index.ts";
import { goAstray, strayErrors } from "../progress/stray.ts";

const diagnostic: Diagnostic = { type: "late-result", message: "The handler returned after the end" };
const fail = (): void => {
  throw new Error("subscriber");
};

it("a diagnostic goes to its subscribers, or else is unheard", () => {
  const diagnostics = new Diagnostics();
  const [heard, unheard]: [Diagnostic[], Diagnostic[]] = [[], []];
  diagnostics.unheard.subscribe((each) => unheard.push(each));
  diagnostics.report(diagnostic);
  expect([heard, unheard]).toEqual([[], [diagnostic]]);
  const subscription = diagnostics.subscribe((each) => heard.push(each));
  diagnostics.report(diagnostic);
  expect([heard, unheard]).toEqual([[diagnostic], [diagnostic]]);
  subscription.unsubscribe();
  diagnostics.report(diagnostic);
  expect([heard.length, unheard.length]).toEqual([1, 2]);
});

it("hands out no way to publish", () => {
  const diagnostics = new Diagnostics();
  expect("next" in diagnostics).toBe(false);
  expect(diagnostics.unheard).not.toBeInstanceOf(Subject);
});

describe.each(["heard", "unheard"])("%s diagnostics are contained", (which) => {
  const subscribers: [string, (source: Diagnostics["unheard"]) => void][] = [
    ["throws", (source) => source.subscribe(fail)],
    ["rejects", (source) => source.subscribe(async () => fail())],
    ["throws behind operators", (source) => source.pipe(map((each) => each.type)).subscribe(fail)],
  ];

  it.each(subscribers)("when a subscriber %s", async (_, subscribe) => {
    const diagnostics = new Diagnostics();
    const source = which === "heard" ? diagnostics : diagnostics.unheard;
    const seen: Diagnostic[] = [];
    const stray = await strayErrors(() => {
      subscribe(source);
      source.subscribe((each) => seen.push(each));
      diagnostics.report(diagnostic);
      diagnostics.report(diagnostic);
    });
    expect(stray).toEqual([]);
    expect(seen).toHaveLength(2);
    expect(await strayErrors(goAstray)).toHaveLength(2);
  });
});

it("anybody may implement what a carrier needs of a server", () => {
  const seen = new Subject<Diagnostic>();
  const diagnostics = Object.assign(seen, { unheard: EMPTY, report: (each: Diagnostic) => seen.next(each) });
  const server: Servable = { dispatch: () => NEVER, diagnostics };
  const heard: Diagnostic[] = [];
  server.diagnostics.subscribe((each) => heard.push(each));
  server.diagnostics.report(diagnostic);
  expect(heard).toEqual([diagnostic]);
});
