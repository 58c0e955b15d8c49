import type { Subscription } from "rxjs";
import type { ClientCapabilities, Implementation, PulseOptions, RequestId } from "../events/index.ts";
import type { McpProgressSource } from "../progress/index.ts";
import type { McpElicitor } from "./elicitor.ts";

/**
 * What the handlers of `tools/call`, `prompts/get` and `resources/read` get, and no other function:
 * MCP 2026-07-28 lets exactly these three take several rounds (basic/patterns/mrtr).
 */
export interface MrtrContext<P = unknown> extends McpProgressSource, McpElicitor {
  /** Tool or prompt name, resource URI. */
  readonly handlerName: string;
  /** The JSON-RPC id of this request. */
  readonly requestId: RequestId;
  /** The same in every round of a logical call: an idempotency key. */
  readonly callId: string;
  /** Who asks and what it can do, as declared for this request or, in the legacy era, in `initialize`. */
  readonly client: { readonly info?: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /**
   * What the carrier's `authenticate` returned; `undefined` without it. An answer counts only from the principal
   * that was asked, by its JSON form: leave out what changes between rounds, such as a token's expiry.
   */
  readonly principal: P;
  /**
   * Aborted when the request ends in any way but a result. Its `reason` is a `Cancelled`, `Disconnected`,
   * `Deadline` or `Unanswered` error.
   */
  readonly signal: AbortSignal;
  /** Whether the client asked for progress and this carrier can deliver it. */
  readonly listening: boolean;
  /**
   * Keeps a call alive that has nothing to report, for clients whose timeout starts anew with each update:
   * every `everyMs` in which the request said nothing, it reports the smallest step above its last value, so that
   * no bar moves, and nothing once the next step would reach the total. Emitters and their guards are not touched.
   * Set `everyMs` to less than half of the client's timeout. Ends with the call, or by unsubscribing; a second pulse
   * replaces the first.
   * @throws RangeError when `everyMs` is not greater than 0, or `forMs` is less, or either exceeds a timer's longest.
   * @throws TypeError when the message is no string.
   */
  pulse(options: PulseOptions): Subscription;
  /** Resolves when the carrier has room for more; at once when it is not behind, at the latest at the end. */
  drained(): Promise<void>;
}

/** What a tool's handler gets. */
export interface McpToolContext<P = unknown> extends MrtrContext<P> {}
/** What a prompt's handler gets. */
export interface McpPromptContext<P = unknown> extends MrtrContext<P> {}
/** What a resource's reader gets. */
export interface McpResourceContext<P = unknown> extends MrtrContext<P> {}
