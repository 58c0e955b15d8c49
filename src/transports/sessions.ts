import { Disconnected } from "../errors.ts";
import { canonicalJson } from "../events/index.ts";
import type { LegacyClient } from "./era.ts";
import { HttpSession } from "./http-session.ts";
import { after } from "./timer.ts";

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
  readonly #limits: SessionLimits;
  /** Those with an open response. */
  readonly #busy = new Map<string, HttpSession>();
  /** In the order in which they became idle, so that the first is the next to expire. */
  readonly #idle = new Map<string, HttpSession>();
  #stopTimer: (() => void) | undefined;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  /** Opens a session; `undefined` when there are too many and none is idle. */
  open(client: LegacyClient, principal: unknown): HttpSession | undefined {
    if (this.#busy.size + this.#idle.size >= this.#limits.maxSessions) {
      const [oldest] = this.#idle.values();
      if (oldest === undefined) return undefined;
      this.end(oldest, new Disconnected("The session made room for another"));
    }
    const session = new HttpSession(crypto.randomUUID(), client, ownerOf(principal));
    this.#rest(session);
    return session;
  }

  /** The live session with this id, if it is the principal's; being asked for keeps it alive. */
  find(id: string, principal: unknown): HttpSession | undefined {
    const session = this.#busy.get(id) ?? this.#idle.get(id);
    if (session === undefined || session.owner !== ownerOf(principal)) return undefined;
    if (session.open === 0) this.#rest(session);
    return session;
  }

  /** Keeps a session from being idle; returns what ends that, once. */
  hold(session: HttpSession): () => void {
    session.open += 1;
    if (this.#idle.delete(session.id)) this.#busy.set(session.id, session);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      session.open -= 1;
      if (session.open === 0 && this.#busy.delete(session.id)) this.#rest(session);
    };
  }

  /** Ends a session and aborts its requests. */
  end(session: HttpSession, reason: Error): void {
    this.#busy.delete(session.id);
    this.#idle.delete(session.id);
    session.end(reason);
  }

  /** Ends them all. */
  close(reason: Error): void {
    this.#stopTimer?.();
    for (const session of [...this.#busy.values(), ...this.#idle.values()]) this.end(session, reason);
  }

  #rest(session: HttpSession): void {
    session.idleSince = performance.now();
    this.#idle.delete(session.id);
    this.#idle.set(session.id, session);
    if (this.#stopTimer === undefined) this.#watch(session);
  }

  /** One timer for all: it waits for the session that was the first to become idle when it was set. */
  #watch({ idleSince }: HttpSession): void {
    const dueMs = idleSince + this.#limits.sessionIdleMs - performance.now();
    this.#stopTimer = after(Math.max(dueMs, 1), this.#expire);
  }

  readonly #expire = (): void => {
    this.#stopTimer = undefined;
    const since = performance.now() - this.#limits.sessionIdleMs;
    for (const session of this.#idle.values()) {
      if (session.idleSince > since) return this.#watch(session);
      this.end(session, new Disconnected("The session expired"));
    }
  };
}

/** Principals are compared by what they hold; nobody is somebody else than `null`. */
function ownerOf(principal: unknown): string | undefined {
  return principal === undefined ? undefined : canonicalJson(principal);
}
