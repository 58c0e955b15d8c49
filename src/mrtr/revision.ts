import { UnsupportedRevisionError } from "../errors.ts";
import type { ClientCapabilities, InputRequest } from "../events/index.ts";

/** The revision that brought elicitation, with forms alone. Revisions are dates, so their text compares. */
const forms = "2025-06-18";
/** The revision that brought URLs, selections of several, titles of options, and sampling with tools. */
const urls = "2025-11-25";

type Params = Readonly<Record<string, unknown>>;

/** What a client of a 2025 revision can do: before modes, an `elicitation` of any kind meant forms. */
export function capabilitiesIn(version: string, declared: ClientCapabilities): ClientCapabilities {
  if (version >= urls || declared.elicitation === undefined) return declared;
  const { elicitation: _, ...others } = declared;
  return version >= forms ? { ...others, elicitation: { form: {} } } : others;
}

/**
 * A question as a 2025 revision knows it. What is only a hint is left out; what would change the meaning is
 * refused.
 * @throws UnsupportedRevisionError
 */
export function requestIn(version: string, request: InputRequest): InputRequest {
  const params = (request.params ?? {}) as Params;
  switch (request.method) {
    case "roots/list":
      return request;
    case "sampling/createMessage":
      if (version >= urls || (params.tools === undefined && params.toolChoice === undefined)) return request;
      throw new UnsupportedRevisionError(version, "sampling with tools");
    case "elicitation/create":
      if (version < forms) throw new UnsupportedRevisionError(version, "elicitation: the user cannot be asked");
      return { method: request.method, params: params.mode === "url" ? url(version, params) : form(version, params) };
  }
}

/** MCP 2025-11-25, client/elicitation, URL Mode: each has an id of its own. */
function url(version: string, params: Params): Params {
  if (version < urls) throw new UnsupportedRevisionError(version, "URL mode elicitation, only forms");
  return { elicitationId: crypto.randomUUID(), ...params };
}

function form(version: string, params: Params): Params {
  if (version >= urls) return params;
  const { mode: _, requestedSchema, ...others } = params;
  const { properties, ...schema } = requestedSchema as Params;
  const fields = Object.entries(properties as Readonly<Record<string, Params>>);
  const plain = fields.map(([name, field]) => [name, plainField(version, name, field)] as const);
  return { ...others, requestedSchema: { ...schema, properties: Object.fromEntries(plain) } };
}

/** MCP 2025-06-18, client/elicitation, Requested Schema. The server fills in the defaults itself. */
function plainField(version: string, name: string, { default: initial, oneOf, ...field }: Params): Params {
  if (field.type === "array") {
    throw new UnsupportedRevisionError(version, `selection of several options, which ${JSON.stringify(name)} is`);
  }
  return {
    ...field,
    ...(oneOf !== undefined && titled(oneOf as readonly Params[])),
    ...(field.type === "boolean" && initial !== undefined && { default: initial }),
  };
}

function titled(options: readonly Params[]): Params {
  return { enum: options.map((option) => option.const), enumNames: options.map((option) => option.title) };
}
