/** The variables of a URI template, by the names in its text. */
export type TemplateVariables<T extends string> = string extends T
  ? Readonly<Record<string, string>>
  : { readonly [K in NamesOf<T>]: string };

type NamesOf<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? (Expression extends `+${infer Name}` ? Name : Expression) | NamesOf<Rest>
  : never;

/** A parsed URI template. */
export interface UriTemplate {
  readonly text: string;
  readonly variables: readonly string[];
  /** The decoded variables of a URI, or `undefined` when it does not match. Linear in the URI's length. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

interface Variable {
  readonly name: string;
  /** `{+name}`: may hold what separates the parts of a URI. */
  readonly reserved: boolean;
  /** The literal text after it. */
  readonly after: string;
}

const expressionSyntax = /^(\+?)([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)$/;
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Parses a URI template of RFC 6570 that can be matched without guessing: `{name}` stands for one or more
 * characters without `/`, `?` and `#`, `{+name}`, at most once, for one or more of any kind.
 * @throws TypeError naming the expression that is something else.
 */
export function parseTemplate(text: string): UriTemplate {
  const [start = "", ...pieces] = text.split("{");
  if (!scheme.test(start)) throw new TypeError(`Expected a URI template to start with a scheme, got "${text}"`);
  if (pieces.length === 0) throw new TypeError(`Expected a URI template to have an expression, got "${text}"`);
  const variables = pieces.map((piece) => parseVariable(piece, text));
  checkLiteral(start, text);
  checkTogether(variables, text);
  const reserved = variables.findIndex((variable) => variable.reserved);
  const widest = reserved === -1 ? variables.length - 1 : reserved;
  return {
    text,
    variables: variables.map(({ name }) => name),
    match: (uri) => matchUri(uri, start, variables, widest),
  };
}

function parseVariable(piece: string, text: string): Variable {
  const end = piece.indexOf("}");
  if (end === -1) throw new TypeError(`Expected \`{${piece}\` to be closed by \`}\` in the URI template "${text}"`);
  const [, operator, name] = expressionSyntax.exec(piece.slice(0, end)) ?? [];
  if (name === undefined) {
    throw new TypeError(
      `Expected an expression of the form \`{name}\` or \`{+name}\`, got \`{${piece.slice(0, end)}}\` in "${text}"`,
    );
  }
  const after = piece.slice(end + 1);
  checkLiteral(after, text);
  return { name, reserved: operator === "+", after };
}

function checkLiteral(literal: string, text: string): void {
  if (literal.includes("}")) throw new TypeError(`Expected \`}\` to follow a \`{\` in the URI template "${text}"`);
}

/** What keeps a match unique, and its cost linear. */
function checkTogether(variables: readonly Variable[], text: string): void {
  const seen = new Set<string>();
  let reserved = 0;
  for (const [index, variable] of variables.entries()) {
    const expression = `\`{${variable.reserved ? "+" : ""}${variable.name}}\``;
    if (seen.has(variable.name))
      throw new TypeError(`Expected variables to differ, got ${expression} twice in "${text}"`);
    seen.add(variable.name);
    if (variable.reserved) reserved += 1;
    if (reserved > 1)
      throw new TypeError(`Expected at most one \`{+name}\`, got ${expression} as another in "${text}"`);
    if (variable.after === "" && index < variables.length - 1) {
      throw new TypeError(`Expected text between expressions, got none after ${expression} in "${text}"`);
    }
  }
}

/**
 * Literals left of the variable at `widest` are taken where they first occur, those right of it where they
 * last do, and it gets what lies between. That finds a match whenever there is one.
 */
function matchUri(uri: string, start: string, variables: readonly Variable[], widest: number) {
  if (!uri.startsWith(start) || !uri.endsWith(variables.at(-1)?.after ?? "")) return undefined;
  const before: string[] = [];
  let from = start.length;
  for (const { after } of variables.slice(0, widest)) {
    const end = uri.indexOf(after, from + 1);
    if (end === -1) return undefined;
    before.push(uri.slice(from, end));
    from = end + after.length;
  }
  const behind: string[] = [];
  let to = uri.length - (variables.at(-1)?.after.length ?? 0);
  for (const { after } of variables.slice(widest, -1).reverse()) {
    const end = uri.lastIndexOf(after, to - after.length - 1);
    if (end <= from) return undefined;
    behind.unshift(uri.slice(end + after.length, to));
    to = end;
  }
  return decodeAll(variables, [...before, uri.slice(from, to), ...behind]);
}

function decodeAll(variables: readonly Variable[], values: readonly string[]) {
  const entries: [string, string][] = [];
  for (const [index, { name, reserved }] of variables.entries()) {
    const value = values[index];
    if (value === undefined || value === "" || (!reserved && /[/?#]/.test(value))) return undefined;
    const decoded = decode(value);
    if (decoded === undefined) return undefined;
    entries.push([name, decoded]);
  }
  return Object.fromEntries(entries);
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
