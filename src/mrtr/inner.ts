import { z } from "zod";

/** What a field is without that it may be left out: only then does its kind show. */
export interface Inner {
  readonly def: {
    readonly type: string;
    readonly format?: string | undefined;
    readonly pattern?: RegExp | undefined;
    readonly innerType?: unknown;
    readonly checks?: readonly { readonly _zod: Inner }[] | undefined;
  };
}

const wrappers = new Set(["optional", "default", "prefault", "nonoptional", "readonly", "catch"]);
const patterns = new Set(["regex", "starts_with", "ends_with", "includes", "lowercase", "uppercase"]);

/** Takes off what a form can say of any field. `nullable` is not among it. */
export function unwrap(field: unknown): Inner {
  const inner = (field as { readonly _zod: Inner })._zod;
  return wrappers.has(inner.def.type) ? unwrap(inner.def.innerType) : inner;
}

/** True for a pattern that the developer gave; those that zod adds to a format do not count. */
export function hasPattern({ def }: Inner): boolean {
  const defs = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
  return defs.some(({ format = "", pattern }) => {
    return patterns.has(format) || (format === "email" && String(pattern) !== String(z.regexes.email));
  });
}
