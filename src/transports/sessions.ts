import { Disconnected } from "../errors.ts";
import { canonicalJson } from "../events/index.ts";
import type { LegacyClient } from "./era.ts";
import { HttpSession } from "./http-session.ts";
import { Rota } from "./rota.ts";

export interface SessionLimits {
  /** In milliseconds. */
  readonly sessionIdleMs: number;
  readonly maxSessions: number;
}

/**
 * The sessions of one listener. A session is idle while none of its responses is open; then it expires after
 * `sessionIdleMs`, or sooner to make room, and what still runs in it is aborted.
 */
export class Sessions {
  readonly #maxSessions: number;
  readonly #live = new Map<string, HttpSession>();
  readonly #idle: Rota<HttpSession>;

  constructor({ sessionIdleMs, maxSessions }: SessionLimits) {
    this.#maxSessions = maxSessions;
    this.#idle = new Rota(sessionIdleMs, (session) => this.end(session, new Disconnected("The session expired")));
  }

  /** Opens a session; `undefined` when there are too many and none is idle. */
  open(client: LegacyClient, principal: unknown): HttpSession | undefined {
    if (this.#live.size >= this.#maxSessions) {
      const oldest = this.#idle.first;
      if (oldest === undefined) return undefined;
      this.end(oldest, new Disconnected("The session made room for another"));
    }
    const session = new HttpSession(crypto.randomUUID(), client, ownerOf(principal));
    this.#live.set(session.id, session);
    this.#idle.add(session);
    return session;
  }

  /** The live session with this id, if it is the principal's; being asked for keeps it alive. */
  find(id: string, principal: unknown): HttpSession | undefined {
    const session = this.#live.get(id);
    if (session === undefined || session.owner !== ownerOf(principal)) return undefined;
    if (session.open === 0) this.#idle.add(session);
    return session;
  }

  /** Keeps a session from being idle; returns what ends that, once. */
  hold(session: HttpSession): () => void {
    session.open += 1;
    this.#idle.delete(session);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      session.open -= 1;
      if (session.open === 0 && this.#live.has(session.id)) this.#idle.add(session);
    };
  }

  /** Ends a session and aborts its requests. */
  end(session: HttpSession, reason: Error): void {
    this.#live.delete(session.id);
    this.#idle.delete(session);
    session.end(reason);
  }

  /** Ends them all. */
  close(reason: Error): void {
    for (const session of [...this.#live.values()]) this.end(session, reason);
  }
}

/** Principals are compared by what they hold; nobody is somebody else than `null`. */
function ownerOf(principal: unknown): string | undefined {
  return principal === undefined ? undefined : canonicalJson(principal);
}
