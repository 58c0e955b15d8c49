import { attempt, describeThrown, isInstance } from "../errors.ts";
import type { Diagnostic, Diagnostics, Servable } from "../events/index.ts";

const watched = new WeakSet<Diagnostics>();

/** While nobody subscribes to a server's diagnostics, prints the first of each kind as a process warning. */
export function warnUnheard(server: Pick<Servable, "diagnostics">): void {
  const diagnostics = server?.diagnostics;
  if (typeof diagnostics !== "object" || diagnostics === null) {
    throw new TypeError("Expected `server` to be made by createMcpServer, got something without `diagnostics`");
  }
  if (watched.has(diagnostics)) return;
  watched.add(diagnostics);
  const printed = new Set<Diagnostic["type"]>();
  diagnostics.unheard.subscribe((diagnostic) => {
    if (printed.has(diagnostic.type)) return;
    const detail = detailOf(diagnostic);
    globalThis.process?.emitWarning(describe(diagnostic), { type: "McpHeadwayWarning", code: diagnostic.type, detail });
    printed.add(diagnostic.type);
  });
}

function describe({ message, method, handlerName, cause }: Diagnostic): string {
  const where = [method, handlerName].filter((part) => part !== undefined).join(" ");
  const why = cause === undefined ? "" : `: ${describeThrown(cause)}`;
  return `${where === "" ? "" : `${where}: `}${message}${why}`;
}

/** The stack, which Node prints below the warning, and where to hear of all others. */
function detailOf({ cause }: Diagnostic): string {
  const stack = attempt(() => (isInstance(cause, Error) ? cause.stack : undefined));
  const more = "Further ones of this kind are not printed: subscribe to the `diagnostics`.";
  return typeof stack === "string" ? `${stack}\n${more}` : more;
}
