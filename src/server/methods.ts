import type { Exchange } from "../events/index.ts";
import { negotiateVersion } from "../wire/index.ts";
import { modernShapes } from "./answer.ts";
import { complete } from "./completion.ts";
import { discover } from "./discover.ts";
import { initialize, legacyShapes, ping } from "./legacy.ts";
import { list } from "./listing.ts";
import type { Method, Parts, Shapes } from "./method.ts";
import { getPrompt } from "./prompts.ts";
import { readResource } from "./resources.ts";
import { listen } from "./subscriptions.ts";
import { callTool } from "./tools.ts";

/** The methods that a server answers in one era, and how it refuses what it does not. */
export interface Table extends Shapes {
  readonly methods: ReadonlyMap<string, Method>;
}

/** Which table serves an exchange. Those of revisions that nobody speaks are never made. */
export function createTables(
  common: Omit<Parts, keyof Shapes>,
  instructions: string | undefined,
): (exchange: Exchange) => Table {
  const modern = modernTable({ ...common, ...modernShapes(common.identity) }, instructions);
  const legacy = new Map<string, Table>();
  return ({ era, protocolVersion }) => {
    if (era === "modern") return modern;
    const version = negotiateVersion(protocolVersion);
    const table = legacy.get(version) ?? legacyTable({ ...common, ...legacyShapes(version) }, instructions);
    legacy.set(version, table);
    return table;
  };
}

function modernTable(parts: Parts, instructions: string | undefined): Table {
  const methods = offered(parts);
  methods.set("server/discover", discover(parts, instructions)).set("subscriptions/listen", listen(parts));
  return { ...parts, methods };
}

function legacyTable(parts: Parts, instructions: string | undefined): Table {
  const methods = offered(parts).set("initialize", initialize(parts, instructions)).set("ping", ping(parts));
  return { ...parts, methods };
}

/** What a server offers in both eras: the methods of what is registered, and no others. */
function offered(parts: Parts): Map<string, Method> {
  const { registry } = parts;
  const methods = new Map<string, Method>();
  if (registry.tools.size > 0) {
    const tools = Array.from(registry.tools.values(), ({ listing }) => ({ listing: parts.listTool(listing) }));
    methods.set("tools/list", list("tools", tools, parts));
    methods.set("tools/call", callTool(parts));
  }
  if (registry.prompts.size > 0) {
    methods.set("prompts/list", list("prompts", registry.prompts.values(), parts));
    methods.set("prompts/get", getPrompt(parts));
  }
  if (registry.hasResources) {
    const families = Array.from(registry.templates.values(), ({ definition }) => definition);
    methods.set("resources/list", list("resources", registry.resources.values(), parts));
    methods.set("resources/templates/list", list("resourceTemplates", families, parts));
    methods.set("resources/read", readResource(parts));
  }
  if (registry.hasCompleters) methods.set("completion/complete", complete(parts));
  return methods;
}
