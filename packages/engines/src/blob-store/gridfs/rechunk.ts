/** The same bytes in pieces of this size; the last may be smaller. */
export async function* rechunk(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let chunk = Buffer.alloc(size);
  let filled = 0;
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.byteLength; ) {
      const part = piece.subarray(taken, taken + size - filled);
      chunk.set(part, filled);
      taken += part.byteLength;
      filled += part.byteLength;
      if (filled < size) continue;
      yield chunk;
      chunk = Buffer.alloc(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
