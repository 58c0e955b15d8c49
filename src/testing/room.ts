import { AsyncSubject, firstValueFrom, type Observable, observable, of } from "rxjs";

/** The room of a carrier in virtual time. */
export class Room {
  #always: boolean;
  #free = false;
  #next: AsyncSubject<void> | undefined;

  /** With `always`, there is room at all times. */
  constructor(always: boolean) {
    this.#always = always;
  }

  /** Room for those who wait; when nobody does, for who comes next. */
  readonly open = (): void => {
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined) this.#free = true;
    next?.next();
    next?.complete();
  };

  /** The request is over: nobody waits for room any more. */
  end(): void {
    this.#always = true;
    this.open();
  }

  drained(): Promise<void> {
    if (this.#always || this.#free) {
      this.#free = false;
      return momentary(of(undefined));
    }
    this.#next ??= new AsyncSubject();
    return momentary(this.#next);
  }
}

/**
 * A promise that RxJS takes for an observable: what it becomes then is not a microtask late, and virtual time
 * has no microtasks. `await` takes it for a promise.
 */
function momentary(fulfilled: Observable<void>): Promise<void> {
  return Object.assign(firstValueFrom(fulfilled), { [observable]: () => fulfilled });
}
