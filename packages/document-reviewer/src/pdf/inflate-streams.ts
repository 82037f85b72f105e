import { Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { FaultyFile } from "../faulty-file.ts";
import type { PdfStream } from "./pdf-objects.ts";

/** Bytes all streams of a PDF may come to: a page at 600 dots per inch, in colour, has a hundred million. */
const MAX_INFLATED_BYTES = 400_000_000;
/** Objects are kept in streams of this size at most. */
const MOST_OF_OBJECTS = 16_000_000;
const MOST_PACKED_TWICE = 2;
const FLATE = /\/(?:FlateDecode|Fl)\b/g;

/**
 * Unpacks the streams a PDF's reader would unpack, only to see how large they become; answers the text of those that
 * hold objects.
 * @throws FaultyFile `too_large_unpacked`
 */
export async function inflateObjectStreams(streams: readonly PdfStream[]): Promise<readonly string[]> {
  const budget = { left: MAX_INFLATED_BYTES };
  const texts: string[] = [];
  for (const stream of streams) {
    const times = stream.dictionary.match(FLATE)?.length ?? 0;
    const holdsObjects = /\/ObjStm\b/.test(stream.dictionary);
    if (times === 0) {
      if (holdsObjects) texts.push(stream.bytes.toString("latin1"));
      continue;
    }
    if (times > MOST_PACKED_TWICE) throw new FaultyFile("too_large_unpacked");
    const unpacked = await inflateStream(stream.bytes, times, budget, holdsObjects ? MOST_OF_OBJECTS : 0);
    if (holdsObjects) texts.push(unpacked.toString("latin1"));
  }
  return texts;
}

/** Keeps the first bytes only. What can't be unpacked ends where it fails: the reader decides what that means. */
async function inflateStream(bytes: Buffer, times: number, budget: { left: number }, keep: number): Promise<Buffer> {
  let source: AsyncIterable<Buffer> = Readable.from([bytes]);
  for (let time = 0; time < times; time += 1) source = inflated(source, budget);
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    if (size < keep) kept.push(piece);
    size += piece.length;
    if (keep > 0 && size > keep) throw new FaultyFile("too_large_unpacked");
  }
  return Buffer.concat(kept);
}

async function* inflated(source: AsyncIterable<Buffer>, budget: { left: number }): AsyncGenerator<Buffer> {
  const inflate = createInflate();
  const feeding = Readable.from(source).on("error", (error) => inflate.destroy(error));
  feeding.pipe(inflate);
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      budget.left -= piece.length;
      if (budget.left < 0) throw new FaultyFile("too_large_unpacked");
      yield piece;
    }
  } catch (error) {
    if (error instanceof FaultyFile) throw error;
  } finally {
    feeding.destroy();
    inflate.destroy();
  }
}
