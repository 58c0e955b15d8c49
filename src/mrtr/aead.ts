import type { Diagnostic } from "../events/index.ts";
import { fromBase64Url, toBase64Url } from "./fingerprint.ts";
import type { StateCodec } from "./state.ts";

/** A key of 32 bytes with its id. The id is public: it travels in front of the sealed state. */
export interface StateKey {
  /** 1 to 32 letters, digits, `-` or `_`. */
  readonly id: string;
  /** Exactly 32 random bytes. They are copied. */
  readonly secret: Uint8Array;
}

const version = "1";
const nonceBytes = 12;

/**
 * AES-256-GCM through WebCrypto. The first key seals, all keys open: to rotate without downtime, put the
 * new key first and drop the old one after the TTL. Version and key id are authenticated.
 * @throws RangeError for a key that is not 32 bytes, or an id that is malformed or used twice.
 */
export function aeadCodec(keys: readonly StateKey[]): StateCodec {
  const ring = new Map(keys.map((key) => [checkedId(key, keys), lazyKey(key)]));
  const first = keys[0];
  if (first === undefined) throw new RangeError("Expected `keys` to hold at least one key, got none");
  return {
    async seal(text) {
      const head = `${version}.${first.id}`;
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const sealed = await crypto.subtle.encrypt(parameters(nonce, head), await keyOf(ring, first.id), encode(text));
      return `${head}.${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(sealed))}`;
    },
    async open(token) {
      const [tag, id, nonceText, sealedText, ...rest] = token.split(".");
      const key = ring.get(id ?? "");
      if (tag !== version || key === undefined || rest.length > 0) return undefined;
      const nonce = fromBase64Url(nonceText ?? "");
      const sealed = fromBase64Url(sealedText ?? "");
      if (nonce?.length !== nonceBytes || sealed === undefined) return undefined;
      try {
        const bytes = await crypto.subtle.decrypt(parameters(nonce, `${tag}.${id}`), await key(), sealed);
        return new TextDecoder().decode(bytes);
      } catch {
        return undefined;
      }
    },
  };
}

/** Whether a text looks like what `aeadCodec` seals, with whatever key. */
export function hasSealedForm(token: string): boolean {
  return /^1\.[A-Za-z0-9_-]{1,32}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/.test(token);
}

/**
 * A codec with a key of its own: what it sealed, no other process and no later run of this one can open. The key
 * is made when it is first needed: most servers never ask, and the platform's cryptography is slow to load.
 */
export function randomCodec(): StateCodec {
  let codec: StateCodec | undefined;
  const made = (): StateCodec => {
    codec ??= aeadCodec([{ id: "random", secret: crypto.getRandomValues(new Uint8Array(32)) }]);
    return codec;
  };
  return { seal: (text) => made().seal(text), open: (token) => made().open(token) };
}

/** Said when a state is sealed with a key that nobody gave. */
export const madeUpKey: Diagnostic = {
  type: "random-key",
  message:
    "No `requestState.keys` are configured: a question that is answered after a restart, or at another process, is refused",
};

function checkedId({ id, secret }: StateKey, keys: readonly StateKey[]): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
    throw new RangeError(`Expected a key's \`id\` to be 1 to 32 letters, digits, - or _, got ${JSON.stringify(id)}`);
  }
  if (keys.filter((key) => key.id === id).length > 1)
    throw new RangeError(`Expected key ids to be unique, got ${id} twice`);
  if (!(secret instanceof Uint8Array) || secret.length !== 32) {
    throw new RangeError(`Expected the \`secret\` of key ${id} to be 32 bytes, got ${secret?.length}`);
  }
  return id;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Imports a key when it is first needed: a server may be made for one request, and most never ask. */
function lazyKey({ secret }: StateKey): () => Promise<Key> {
  const bytes = Uint8Array.from(secret);
  let imported: Promise<Key> | undefined;
  return () => {
    imported ??= crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
    return imported;
  };
}

function keyOf(ring: ReadonlyMap<string, () => Promise<Key>>, id: string): Promise<Key> {
  return ring.get(id)?.() ?? Promise.reject(new RangeError(`Expected a key ${id}, got none`));
}

function parameters(iv: Uint8Array<ArrayBuffer>, head: string) {
  return { name: "AES-GCM", iv, additionalData: encode(head) };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}
