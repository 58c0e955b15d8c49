import { describeThrown } from "../errors.ts";
import type { Diagnostic, Diagnostics } from "../events/index.ts";

const watched = new WeakSet<Diagnostics>();

/** While nobody subscribes to a server's diagnostics, prints the first of each kind as a process warning. */
export function warnUnheard(diagnostics: Diagnostics): void {
  if (watched.has(diagnostics)) return;
  watched.add(diagnostics);
  const printed = new Set<Diagnostic["type"]>();
  diagnostics.unheard.subscribe((diagnostic) => {
    if (printed.has(diagnostic.type)) return;
    globalThis.process?.emitWarning(describe(diagnostic), { type: "McpHeadwayWarning", code: diagnostic.type });
    printed.add(diagnostic.type);
  });
}

function describe({ message, method, handlerName, cause }: Diagnostic): string {
  const where = [method, handlerName].filter((part) => part !== undefined).join(" ");
  const why = cause === undefined ? "" : `: ${describeThrown(cause)}`;
  return `${where === "" ? "" : `${where}: `}${message}${why}`;
}
