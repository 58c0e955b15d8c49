/** Characters per call: `fromCharCode` takes its characters as arguments, and a stack holds only so many. */
const chunk = 8_192;

/** Encodes bytes in Base64 with the platform's own means, so that it runs outside Node too. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let from = 0; from < bytes.length; from += chunk) {
    binary += String.fromCharCode(...bytes.subarray(from, from + chunk));
  }
  return btoa(binary);
}
