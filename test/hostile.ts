const secret = (): never => {
  throw new Error("secret");
};

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** What can be thrown and cannot be looked at. */
export const hostile: readonly [string, () => unknown][] = [
  ["a revoked proxy", () => revoked(new Error("x"))],
  ["a revoked function", () => revoked(secret)],
  ["an object without a prototype", () => Object.create(null)],
  ["a proxy whose every trap throws", () => new Proxy({}, { get: secret, has: secret, getPrototypeOf: secret })],
  ["an error whose name throws", () => Object.defineProperty(new Error("x"), "name", { get: secret })],
  ["an error whose message throws", () => Object.defineProperty(new Error(), "message", { get: secret })],
  ["text that cannot be made", () => ({ toString: secret })],
];
