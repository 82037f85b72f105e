/** Reads at least so many bytes, or all if there are fewer. @param content continues after them. */
export async function readBeginning(content: AsyncIterator<Uint8Array>, bytes: number): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < bytes) {
    const next = await content.next();
    if (next.done === true) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  return beginning;
}

/** Content whose beginning was read. */
export async function* concatenate(beginning: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (beginning.length > 0) yield beginning;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The same bytes in pieces of this size; the last may be smaller. */
export async function* inChunks(
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
