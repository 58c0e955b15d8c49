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
  /** Told of each update's text. @type {((text: string) => void) | undefined} */
  onUpdate;

  #resolve = (/** @type {any} */ _response) => {};
  #reject = (/** @type {Error} */ _error) => {};
  #begun = () => {};

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {});
    this.first = new Promise((resolve) => {
      this.#begun = () => resolve();
    });
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
    this.onUpdate?.(text.slice(start, end));
  }

  /** @param {string} reason */
  fail(reason) {
    this.#reject(new Error(reason));
  }

  /** @param {string} text */
  #answer(text) {
    if (this.response !== undefined) this.fail("Something came after the response");
    this.response = JSON.parse(text);
    if (this.response.error !== undefined) this.fail(`The call failed: ${text}`);
    this.#resolve(this.response);
  }

  /** @param {string} text */
  #check(text) {
    this.firstAt = performance.now();
    const { method, params } = JSON.parse(text);
    const complete = method === "notifications/progress" && "progressToken" in params && "total" in params;
    if (!complete || typeof params.message !== "string") this.fail(`An update lacks something: ${text}`);
    this.#begun();
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
