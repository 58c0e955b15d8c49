import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import {
  asyncScheduler,
  concatMap,
  filter,
  finalize,
  firstValueFrom,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  type SchedulerLike,
  takeUntil,
  tap,
  throwError,
  timer,
} from "rxjs";
import {
  type Diagnostics,
  type Dispatch,
  type Exchange,
  isTerminal,
  type Result,
  whenAborted,
} from "../events/index.ts";
import { INTERNAL_ERROR } from "../wire/index.ts";
import { type ExchangeOptions, exchangeOf, type RequestOptions, requestOf } from "./exchange.ts";
import { Notifier } from "./notifier.ts";
import { resultOf } from "./result.ts";
import { reportMissingHook, reportOwnKey } from "./told.ts";
import { isVerified } from "./verify.ts";

/** On pipes the official client loses what it reads in one piece with the answer; on HTTP it does not. */
const answerGapMs = 10;

export interface CarryOptions extends Omit<ExchangeOptions, "drained">, RequestOptions {
  readonly dispatch: Dispatch;
  readonly diagnostics: Diagnostics;
  /** Nobody gave a key to seal with. */
  readonly hasOwnKey: boolean;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Carries one request from a callback of the SDK to the core and back: a carrier whose wire is the SDK.
 * Rejects with a `ProtocolError` for what ends in a JSON-RPC error, and with the signal's reason when the
 * client leaves.
 */
export function carry(
  ctx: ServerContext,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { dispatch, scheduler = asyncScheduler, ...options }: CarryOptions,
): Promise<Result> {
  const { signal } = ctx.mcpReq;
  const request = requestOf(ctx, method, params, options);
  // A client of 2025 never sees a state: the SDK keeps it.
  const cameBack = request.params.requestState !== undefined && ctx.mcpReq.envelope !== undefined;
  if (cameBack && !isVerified(ctx)) reportMissingHook(options.diagnostics);
  const notifier = notifierOf(ctx, options.diagnostics);
  const exchange = describe(ctx, notifier, options);
  // A caller's token makes an `http` on any transport; a request is on HTTP only.
  const gap = () => (ctx.http?.req === undefined && notifier.hasSent ? timer(answerGapMs, scheduler) : of(0));
  const end = dispatch(request, exchange).pipe(
    tap((event) => {
      if (event.type === "progress") notifier.push(event);
      if (event.type === "input-required" && options.hasOwnKey) reportOwnKey(options.diagnostics);
    }),
    filter(isTerminal),
    concatMap((event) =>
      from(notifier.drained()).pipe(
        concatMap(gap),
        map(() => resultOf(event, request)),
      ),
    ),
    takeUntil(left(signal)),
    finalize(() => notifier.close()),
  );
  return firstValueFrom(end);
}

/** What the host's own code throws is no business of the client's. */
function describe(
  ctx: ServerContext,
  notifier: Notifier,
  { diagnostics, server, principal }: Omit<CarryOptions, "dispatch">,
): Exchange {
  try {
    return exchangeOf(ctx, { server, principal, drained: () => notifier.drained() });
  } catch (cause) {
    diagnostics.report({ type: "handler-failed", message: "The option `principal` failed", cause });
    throw new ProtocolError(INTERNAL_ERROR, "Internal error");
  }
}

/** Errors when the client leaves. */
function left(signal: AbortSignal): Observable<never> {
  return whenAborted(signal).pipe(mergeMap(() => throwError(() => signal.reason)));
}

function notifierOf({ mcpReq }: ServerContext, diagnostics: Diagnostics): Notifier {
  const progressToken = mcpReq._meta?.progressToken;
  return new Notifier(
    ({ type: _, ...update }) =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...update } }),
    (cause) => diagnostics.report({ type: "connection-failed", message: "An update could not be sent", cause }),
  );
}
