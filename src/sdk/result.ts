import { type InputRequests, inputRequired, ProtocolError } from "@modelcontextprotocol/server";
import type { IncomingRequest, Result, TerminalEvent } from "../events/index.ts";
import { isObject, metaKeys } from "../wire/index.ts";

/**
 * The end of a request as the SDK takes it from a callback.
 * @throws ProtocolError for what ends in a JSON-RPC error.
 */
export function resultOf(event: TerminalEvent, request: IncomingRequest): Result {
  switch (event.type) {
    case "result":
      return withoutEnvelope(event.result, request);
    case "input-required": {
      const inputRequests = event.inputRequests as InputRequests;
      const { requestState } = event;
      return {
        ...inputRequired(Object.keys(inputRequests).length > 0 ? { inputRequests, requestState } : { requestState }),
      };
    }
    case "error":
      throw new ProtocolError(event.error.code, event.error.message, event.error.data);
  }
}

/** What the SDK says by itself: the type of the result, who the server is, and how long a first answer may be kept. */
function withoutEnvelope({ resultType: _, _meta, ...result }: Result, { params }: IncomingRequest): Result {
  const { [metaKeys.serverInfo]: __, ...meta } = isObject(_meta) ? _meta : {};
  const { ttlMs, cacheScope, ...bare } = result;
  // The answer to a retry is kept by nobody, whatever the hint says.
  const isRetry = params.requestState !== undefined || params.inputResponses !== undefined;
  return {
    ...(isRetry ? result : bare),
    ...(Object.keys(meta).length === 0 ? undefined : { _meta: meta }),
  };
}
