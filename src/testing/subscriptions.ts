import { TestScheduler } from "rxjs/testing";
import { drawSpan, type Span } from "./diagram.ts";
import { callerOf, type Failure } from "./site.ts";

/** What is known of an observable that `cold` or `hot` made. */
export interface Source {
  readonly subscriptions: readonly Span[];
}

/** What was said of the subscriptions to one source, to be checked when virtual time has run out. */
export class SubscriptionExpectations {
  readonly #source: Source;
  readonly #said: { readonly wanted: string; readonly site: string | undefined }[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  toBe(diagrams: string | readonly string[]): void {
    const each = typeof diagrams === "string" ? [diagrams] : diagrams;
    const spans = each.map((diagram) => TestScheduler.parseMarblesAsSubscriptions(diagram, true));
    this.#said.push({ wanted: draw(spans), site: callerOf(this.toBe) });
  }

  failures(): readonly Failure[] {
    const got = draw(this.#source.subscriptions);
    return this.#said
      .filter(({ wanted }) => wanted !== got)
      .map(({ wanted, site }) => ({
        message: `Expected the subscriptions  ${wanted}\ngot                         ${got}`,
        site,
      }));
  }
}

function draw(spans: readonly Span[]): string {
  return spans.map(drawSpan).join("  ") || "none";
}
