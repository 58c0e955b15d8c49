import { complete } from "./completion.ts";
import { discover } from "./discover.ts";
import { list } from "./listing.ts";
import type { Method, Parts } from "./method.ts";
import { getPrompt } from "./prompts.ts";
import { readResource } from "./resources.ts";
import { listen } from "./subscriptions.ts";
import { callTool } from "./tools.ts";

/** The methods that a server answers: those of what it offers, and no others. */
export function methodsOf(parts: Parts, instructions: string | undefined): ReadonlyMap<string, Method> {
  const { registry } = parts;
  const methods = new Map<string, Method>([
    ["server/discover", discover(parts, instructions)],
    ["subscriptions/listen", listen(parts)],
  ]);
  if (registry.tools.size > 0) {
    methods.set("tools/list", list("tools", registry.tools.values(), parts));
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
