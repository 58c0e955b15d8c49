/** Remembers which states were redeemed, for tools that are `singleUse`. Shared by all processes that serve them. */
export interface NonceStore {
  /**
   * Takes a nonce; `false` when it was taken before. It may be forgotten after `expiresAt`, in milliseconds
   * since the epoch: the state is refused from then on anyway.
   */
  claim(nonce: string, expiresAt: number): boolean | PromiseLike<boolean>;
}

/** A store in the memory of this process. What has expired is forgotten as new nonces come. */
export function createNonceStore(now: () => number = Date.now): NonceStore {
  const taken = new Map<string, number>();
  return {
    claim(nonce, expiresAt) {
      // States expire in about the order in which they are redeemed, so the oldest stand in front.
      for (const [old, expiry] of taken) {
        if (expiry > now()) break;
        taken.delete(old);
      }
      if (taken.has(nonce)) return false;
      taken.set(nonce, expiresAt);
      return true;
    },
  };
}
