import {
  Diagnostics,
  type Dispatch,
  type Exchange,
  type IncomingRequest,
  type Servable,
} from "../../src/events/index.ts";

/** A hand-made server: one dispatch, and what it was asked. */
export interface Stub extends Servable {
  readonly requests: IncomingRequest[];
  readonly exchanges: Exchange[];
}

export function servable(dispatch: Dispatch): Stub {
  const requests: IncomingRequest[] = [];
  const exchanges: Exchange[] = [];
  return {
    requests,
    exchanges,
    diagnostics: new Diagnostics(),
    dispatch(request, exchange) {
      requests.push(request);
      exchanges.push(exchange);
      return dispatch(request, exchange);
    },
  };
}
