/**
 * Counts the updates of one call and checks that they increase and that the response is last.
 * It must be faster than any target, so it looks for the number instead of parsing every message.
 */
export class Reader {
  count = 0;
  last = 0;
  /** When the first update came, in milliseconds of `performance.now()`. */
  firstAt = 0;
  /** The response. @type {any} */
  response;
  /** Resolves with the response, rejects on anything out of order. @type {Promise<any>} */
  done;
  /** Resolves with the first update. @type {Promise<void>} */
  first;
  /** What was out of order, be it after the response. @type {Error | undefined} */
  error;
  /** The head of the HTTP response, where there is one. */
  head = "";
  /** Told of each update's text. @type {((text: string) => void) | undefined} */
  onUpdate;

  #resolve = (/** @type {any} */ _response) => {};
  #reject = (/** @type {Error} */ _error) => {};
  /** What waits for a number of updates, and the number. */
  #awaited = { count: 1, resolve: () => {} };

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {});
    this.first = this.reached(1);
    this.first.catch(() => {});
  }

  /** Resolves once so many updates came; the latest call counts. @param {number} count @returns {Promise<any>} */
  reached(count) {
    if (this.count >= count) return Promise.resolve();
    const reached = new Promise((resolve) => {
      this.#awaited = { count, resolve: () => resolve(undefined) };
    });
    // The end of a call that brought fewer is no success.
    const fewer = this.done.then(() => this.count < count && Promise.reject(new Error(`Only ${this.count} updates`)));
    fewer.catch(() => {});
    return Promise.race([reached, fewer]);
  }

  /** Takes the message between two positions of a text. @param {string} text @param {number} start @param {number} end */
  message(text, start, end) {
    const at = text.indexOf(key, start);
    if (at === -1 || at >= end) return this.#answer(text.slice(start, end));
    const progress = digits(text, at + key.length);
    if (progress <= this.last) this.fail(`Update ${progress} came after ${this.last}`);
    if (this.response !== undefined) this.fail(`Update ${progress} came after the response`);
    this.last = progress;
    this.count += 1;
    if (this.count === 1) this.#check(text.slice(start, end));
    if (this.count === this.#awaited.count) this.#awaited.resolve();
    this.onUpdate?.(text.slice(start, end));
  }

  /** @param {string} reason */
  fail(reason) {
    this.error ??= new Error(reason);
    this.#reject(this.error);
  }

  /** Tells that no more can come, which is right after the response. @param {string} reason */
  end(reason) {
    if (this.response === undefined) this.fail(reason);
  }

  /** @param {string} text */
  #answer(text) {
    if (this.response !== undefined) this.fail("Something came after the response");
    this.response = JSON.parse(text);
    if (this.response.error !== undefined || this.response.result.isError) this.fail(`The call failed: ${text}`);
    this.#resolve(this.response);
  }

  /** @param {string} text */
  #check(text) {
    this.firstAt = performance.now();
    const { method, params } = JSON.parse(text);
    const complete = method === "notifications/progress" && "progressToken" in params && "total" in params;
    if (!complete || typeof params.message !== "string") this.fail(`An update lacks something: ${text}`);
  }
}

const key = '"progress":';

/** @param {string} text @param {number} at */
function digits(text, at) {
  let value = 0;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) {
    value = value * 10 + code - 48;
    at += 1;
  }
  return value;
}
