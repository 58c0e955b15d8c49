import type { ClientCapabilities, InputRequest } from "../events/index.ts";

/**
 * What the client lacks to be asked this; `undefined` when nothing.
 * MCP 2026-07-28, client/elicitation and client/sampling, capabilities.
 */
export function missingFor(request: InputRequest, declared: ClientCapabilities): ClientCapabilities | undefined {
  return missingOf(neededFor(request), declared);
}

/** The part of `required` that the client has not declared; `undefined` when it has it all. */
export function missingOf(required: ClientCapabilities, declared: ClientCapabilities): ClientCapabilities | undefined {
  const missing = lacking(withModes(required), withModes(declared));
  return missing as ClientCapabilities | undefined;
}

type Tree = Readonly<Record<string, unknown>>;

function neededFor({ method, params = {} }: InputRequest): ClientCapabilities {
  switch (method) {
    case "elicitation/create":
      return { elicitation: "mode" in params && params.mode === "url" ? { url: {} } : { form: {} } };
    case "sampling/createMessage":
      return { sampling: "tools" in params && params.tools !== undefined ? { tools: {} } : {} };
    case "roots/list":
      return { roots: {} };
  }
}

/** An `elicitation` that names no mode means forms. */
function withModes(capabilities: ClientCapabilities): Tree {
  const { elicitation } = capabilities;
  const isBare = elicitation !== undefined && elicitation.form === undefined && elicitation.url === undefined;
  return isBare ? { ...capabilities, elicitation: { form: {} } } : { ...capabilities };
}

/** What is there in `required` and not in `declared`, at whatever depth. */
function lacking(required: Tree, declared: Tree): Tree | undefined {
  const missing = Object.entries(required).flatMap(([name, wanted]) => {
    if (!isTree(wanted)) return [];
    const given = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (!isTree(given)) return [[name, wanted] as const];
    const within = lacking(wanted, given);
    return within === undefined ? [] : [[name, within] as const];
  });
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}
