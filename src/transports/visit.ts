import type { ServerResponse } from "node:http";
import { Disconnected } from "../errors.ts";
import type { RequestId } from "../events/index.ts";
import type { HttpRequest } from "./http-request.ts";
import type { HttpSession } from "./http-session.ts";
import type { Questions } from "./questions.ts";
import type { Sessions } from "./sessions.ts";

/** One request in its session, which it may be about to begin. */
export class Visit {
  readonly #sessions: Sessions;
  readonly #session: HttpSession;
  readonly #id: RequestId;
  readonly #begins: boolean;
  readonly #release: () => void;

  constructor(
    sessions: Sessions,
    session: HttpSession,
    { id, method }: { readonly id: RequestId; readonly method: string },
  ) {
    this.#sessions = sessions;
    this.#session = session;
    this.#id = id;
    this.#begins = method === "initialize";
    this.#release = sessions.hold(session);
  }

  get questions(): Questions {
    return this.#session.questions;
  }

  started(request: HttpRequest, res: ServerResponse): void {
    this.#session.add(this.#id, request);
    if (this.#begins) res.setHeader(sessionHeader, this.#session.id);
  }

  /** A handshake that failed leaves no session behind. */
  answered(isResult: boolean, res: ServerResponse): void {
    if (isResult || !this.#begins) return;
    this.#sessions.end(this.#session, new Disconnected("The handshake failed"));
    if (!res.headersSent) res.removeHeader(sessionHeader);
  }

  /** Its handler has ended or was left. */
  over(): void {
    this.#session.remove(this.#id);
  }

  /** Its response is closed. */
  closed(): void {
    this.#release();
  }
}

const sessionHeader = "Mcp-Session-Id";
