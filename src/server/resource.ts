import { describeGiven } from "../errors.ts";
import type { McpResourceContext } from "../mrtr/index.ts";
import type { Annotations, Icon, ResourceResult } from "../wire/index.ts";
import { type CacheHint, checkCacheHint } from "./cache.ts";
import { checkFunction, checkText, present } from "./check.ts";
import { type Completer, readCompleters } from "./completer.ts";
import type { Handled } from "./handler.ts";
import { checkLimits, type Limits } from "./limits.ts";
import { parseTemplate, type TemplateVariables, type UriTemplate } from "./template.ts";

/** What a resource's reader may yield: text, bytes, or a result in the protocol's own form. */
export type ResourceValue = string | Uint8Array | ResourceResult;

interface Described extends Limits, CacheHint {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly mimeType?: string | undefined;
  readonly annotations?: Annotations | undefined;
}

/** A resource with one address. */
export interface FixedResourceOptions extends Described {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  readonly complete?: undefined;
  read(uri: string, variables: Readonly<Record<string, never>>, ctx: McpResourceContext): Handled<ResourceValue>;
}

/** A family of resources. */
export interface TemplateResourceOptions<T extends string> extends Described {
  /** RFC 6570: `{name}`, and at most one `{+name}`. */
  readonly uriTemplate: T;
  readonly uri?: undefined;
  readonly size?: undefined;
  /** Suggests values, by variable. */
  readonly complete?: { readonly [K in keyof TemplateVariables<T>]?: Completer } | undefined;
  /**
   * Variables come decoded, so one may hold `/` or `..`: check before it becomes part of a path. For what
   * does not exist, throw `new McpError(-32602, "Resource not found", { uri })`.
   */
  read(uri: string, variables: TemplateVariables<T>, ctx: McpResourceContext): Handled<ResourceValue>;
}

/** A resource or a family of them, checked and frozen. */
export interface ResourceDefinition extends Limits, CacheHint {
  readonly type: "resource";
  readonly name: string;
  readonly mimeType?: string | undefined;
  /** Its address, or how its addresses are made. */
  readonly address: string | UriTemplate;
  readonly completers: ReadonlyMap<string, Completer>;
  /** As `resources/list` or `resources/templates/list` shows it. */
  readonly listing: Readonly<Record<string, unknown>>;
  read(uri: string, variables: Readonly<Record<string, string>>, ctx: McpResourceContext): unknown;
}

/**
 * Declares a resource, or with `uriTemplate` a family of them.
 * @throws TypeError when the URI or its template cannot be parsed.
 */
export function defineResource(options: FixedResourceOptions): ResourceDefinition;
export function defineResource<const T extends string>(options: TemplateResourceOptions<T>): ResourceDefinition;
export function defineResource(options: FixedResourceOptions | TemplateResourceOptions<string>): ResourceDefinition {
  const { name, mimeType, timeoutMs, cadence, requires, ttlMs, cacheScope, complete } = options;
  checkText("name", name);
  checkFunction("read", options.read);
  checkLimits(options);
  checkCacheHint(options);
  const address = addressOf(options);
  return Object.freeze<ResourceDefinition>({
    type: "resource",
    name,
    mimeType,
    timeoutMs,
    requires,
    cadence,
    ttlMs,
    cacheScope,
    address,
    completers: readCompleters(complete, typeof address === "string" ? [] : address.variables),
    listing: Object.freeze(listingOf(options)),
    read: (uri, variables, ctx) => options.read(uri, variables as Readonly<Record<string, never>>, ctx),
  });
}

function addressOf({ uri, uriTemplate }: FixedResourceOptions | TemplateResourceOptions<string>): string | UriTemplate {
  if ((uri === undefined) === (uriTemplate === undefined)) {
    throw new TypeError(`Expected one of \`uri\` and \`uriTemplate\`, got ${uri === undefined ? "neither" : "both"}`);
  }
  if (uriTemplate !== undefined) return parseTemplate(uriTemplate);
  if (typeof uri === "string" && URL.canParse(uri)) return uri;
  throw new TypeError(`Expected \`uri\` to be an absolute URI, got ${describeGiven(uri)}`);
}

function listingOf(options: FixedResourceOptions | TemplateResourceOptions<string>) {
  const { uri, uriTemplate, name, title, description, icons, mimeType, annotations, size } = options;
  return present({ uri, uriTemplate, name, title, description, icons, mimeType, annotations, size });
}
