/**
 * Takes HTTP/1.1 chunked coding off a body that comes in pieces cut anywhere.
 * @param {(body: string) => void} onBody
 */
export function dechunk(onBody) {
  let head = "";
  // What is left of the chunk, its CRLF not counted; -1 while its size is being read.
  let left = -1;
  let skip = 0;
  return (/** @type {string} */ piece) => {
    let at = 0;
    while (at < piece.length) {
      if (skip > 0) {
        const skipped = Math.min(skip, piece.length - at);
        skip -= skipped;
        at += skipped;
      } else if (left === -1) {
        const end = piece.indexOf("\n", at);
        head += piece.slice(at, end === -1 ? undefined : end);
        at = end === -1 ? piece.length : end + 1;
        if (end === -1) break;
        left = Number.parseInt(head, 16);
        head = "";
      }
      if (left > 0 && at < piece.length) {
        const end = Math.min(at + left, piece.length);
        onBody(piece.slice(at, end));
        left -= end - at;
        at = end;
      }
      if (left === 0) {
        left = -1;
        skip = 2;
      }
    }
  };
}
