import type { Observable } from "rxjs";
import { z } from "zod";

export type Awaitable<T> = T | PromiseLike<T>;

/** What a handler may return: a value, a promise, or an Observable whose last value is the result. */
export type Handled<V> = Awaitable<V | Observable<V>>;

/** The schema of a handler that declares no arguments: it takes none. */
export const noArguments = z.strictObject({});
export type NoArguments = typeof noArguments;
