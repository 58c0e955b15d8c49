import { describeGiven } from "../errors.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { UriTemplate } from "./template.ts";
import type { ToolDefinition } from "./tool.ts";

export interface Definitions {
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly prompts?: readonly PromptDefinition[] | undefined;
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

/** The resource that a URI names, and the variables that its template found in it. */
export interface FoundResource {
  readonly definition: ResourceDefinition;
  readonly variables: Readonly<Record<string, string>>;
}

interface TemplateEntry {
  readonly template: UriTemplate;
  readonly definition: ResourceDefinition;
}

/** What a server offers, in the order of its declaration. Fixed for the server's life. */
export class Registry {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  /** By URI. */
  readonly resources: ReadonlyMap<string, ResourceDefinition>;
  /** By template text; the first that matches a URI reads it. */
  readonly templates: ReadonlyMap<string, TemplateEntry>;

  /** @throws TypeError for what no `define…` made; Error for a name, URI or template used twice. */
  constructor({ tools = [], prompts = [], resources = [] }: Definitions) {
    const fixed: [string, ResourceDefinition][] = [];
    const families: [string, TemplateEntry][] = [];
    for (const definition of defined("resources", "resource", resources)) {
      const { address } = definition;
      if (typeof address === "string") fixed.push([address, definition]);
      else families.push([address.text, { template: address, definition }]);
    }
    this.tools = unique(
      "tool",
      defined("tools", "tool", tools).map((tool) => [tool.name, tool]),
    );
    this.prompts = unique(
      "prompt",
      defined("prompts", "prompt", prompts).map((prompt) => [prompt.name, prompt]),
    );
    this.resources = unique("resource", fixed);
    this.templates = unique("resource template", families);
  }

  get hasResources(): boolean {
    return this.resources.size + this.templates.size > 0;
  }

  get hasCompleters(): boolean {
    const families = Array.from(this.templates.values(), ({ definition }) => definition);
    return [...this.prompts.values(), ...families].some(({ completers }) => completers.size > 0);
  }

  findResource(uri: string): FoundResource | undefined {
    const definition = this.resources.get(uri);
    if (definition !== undefined) return { definition, variables: {} };
    for (const entry of this.templates.values()) {
      const variables = entry.template.match(uri);
      if (variables !== undefined) return { definition: entry.definition, variables };
    }
    return undefined;
  }
}

function defined<T extends { readonly type: string }>(list: string, type: T["type"], definitions: readonly T[]) {
  if (!Array.isArray(definitions)) {
    throw new TypeError(`Expected \`${list}\` to be an array, got ${kindOf(definitions)}`);
  }
  for (const [index, definition] of definitions.entries()) {
    if (definition?.type === type) continue;
    const maker = `define${type[0]?.toUpperCase()}${type.slice(1)}`;
    throw new TypeError(`Expected \`${list}[${index}]\` to be made by ${maker}, got ${kindOf(definition)}`);
  }
  return definitions;
}

/** A definition of another kind is told from what is none. */
function kindOf(definition: unknown): string {
  const { type } = Object(definition) as { readonly type?: unknown };
  return type === "tool" || type === "prompt" || type === "resource" ? `a ${type}` : describeGiven(definition);
}

function unique<T>(what: string, entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw new Error(`Expected each ${what} once, got "${key}" twice`);
    map.set(key, value);
  }
  return map;
}
