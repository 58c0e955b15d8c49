import { describeGiven } from "../errors.ts";
import { isOpaque } from "../events/index.ts";

/** What JSON would make something else of. */
export interface Loss {
  readonly what: string;
  /** Where it is: `.rows[3].at`, or empty for the value itself. */
  readonly path: string;
}

/**
 * The first thing in a value that JSON would change: a Date, a Map, bytes, an error, a function, `NaN`. Members that are
 * `undefined` go missing, which makes no difference, and an object with data alone is as good as a plain one.
 * Throws for a circular value, as JSON does.
 */
export function lossOf(value: unknown, path = ""): Loss | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : { what: String(value), path };
    case "object":
      return value === null ? undefined : lossIn(value, path);
    default:
      return { what: typeof value === "function" ? "a function" : describeGiven(value), path };
  }
}

function lossIn(value: object, path: string): Loss | undefined {
  if (Array.isArray(value)) return firstOf(Array.from(value, (item, index) => [`${path}[${index}]`, item]));
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== "Object" || "toJSON" in value || isOpaque(value)) return { what: `a ${nameOf(value) ?? kind}`, path };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return firstOf(members.map(([key, member]) => [`${path}.${key}`, member]));
}

function firstOf(parts: readonly (readonly [path: string, part: unknown])[]): Loss | undefined {
  for (const [path, part] of parts) {
    const loss = lossOf(part, path);
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function nameOf(value: object): string | undefined {
  const made: unknown = value.constructor;
  return typeof made === "function" && made.name !== "" ? made.name : undefined;
}
