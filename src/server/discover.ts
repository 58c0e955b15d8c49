import { supportedVersions } from "../wire/index.ts";
import type { Method, Parts } from "./method.ts";
import type { Registry } from "./registry.ts";

/** `server/discover`. MCP 2026-07-28, server/discover. */
export function discover({ registry, settings, answer }: Parts, instructions: string | undefined): Method {
  const event = answer({
    supportedVersions,
    capabilities: capabilitiesOf(registry),
    ...(instructions !== undefined && { instructions }),
    ...settings.cache,
  });
  return () => ({ start: (call) => call.end(event) });
}

/** Only what something is registered for. Lists never change, so none says `listChanged`. */
export function capabilitiesOf(registry: Registry) {
  return {
    ...(registry.tools.size > 0 && { tools: {} }),
    ...(registry.prompts.size > 0 && { prompts: {} }),
    ...(registry.hasResources && { resources: { subscribe: true } }),
    ...(registry.hasCompleters && { completions: {} }),
  };
}
