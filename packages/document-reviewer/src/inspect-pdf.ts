import { Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { FaultyFile, isPolyglotFile } from "./faulty-file.ts";
import { MAX_PIXELS } from "./read-image.ts";

/** One or two line ends and padding may follow the end of a PDF. */
const MOST_BEHIND_END = 1_024;
const END_OF_FILE = "%%EOF";

const ENCRYPTED = /\/Encrypt\b/;
const ACTIVE = /\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|RichMedia|Rendition|XFA)\b/;
const EMBEDDED = /\/(?:EmbeddedFiles?|FileAttachment)\b/;

/** Refuses a PDF that is more than pages to look at, before anything else reads it. @throws FaultyFile */
export async function inspectPdf(content: Buffer): Promise<void> {
  const end = content.lastIndexOf(END_OF_FILE, undefined, "latin1");
  if (end === -1) throw new FaultyFile("damaged");
  if (isPolyglotFile(content) || content.length - end - END_OF_FILE.length > MOST_BEHIND_END) {
    throw new FaultyFile("mixed_formats");
  }
  const { text, streams } = splitPdf(content);
  if (ENCRYPTED.test(text)) throw new FaultyFile("encrypted");
  rejectActiveContent(text);
  refuseLargeImages(streams);
  for (const objects of await inflateObjectStreams(streams)) rejectActiveContent(unescapeNames(objects));
}

function rejectActiveContent(text: string): void {
  if (ACTIVE.test(text)) throw new FaultyFile("active_content");
  if (EMBEDDED.test(text)) throw new FaultyFile("embedded_files");
}

function refuseLargeImages(streams: readonly PdfStream[]): void {
  for (const { dictionary } of streams) {
    if (!/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const size = (side: string) => Number(new RegExp(`/${side}\\s+(\\d+)`).exec(dictionary)?.[1] ?? 0);
    if (size("Width") * size("Height") > MAX_PIXELS) throw new FaultyFile("image_too_large");
  }
}

/** A stream of a PDF: its dictionary and its bytes as stored. */
interface PdfStream {
  readonly dictionary: string;
  readonly bytes: Buffer;
}

/** A PDF split into parts without interpretation. */
interface PdfParts {
  /** Everything outside stream contents, with names unescaped. */
  readonly text: string;
  readonly streams: readonly PdfStream[];
}

const BEGIN = /stream\r?\n/g;
const END_OF_STREAM = "endstream";
/** No scan has a longer dictionary. */
const LONGEST_DICTIONARY = 65_536;

/** Splits a PDF by its keywords, so that cross-references can hide nothing. */
function splitPdf(content: Buffer): PdfParts {
  const all = content.toString("latin1");
  const texts: string[] = [];
  const streams: PdfStream[] = [];
  let from = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(all); begin !== null; begin = BEGIN.exec(all)) {
    const start = begin.index + begin[0].length;
    const found = all.indexOf(END_OF_STREAM, start);
    const end = found === -1 ? all.length : found;
    const before = all.slice(from, begin.index);
    texts.push(before);
    const own = before.lastIndexOf(" obj");
    const dictionary = unescapeNames(before.slice(Math.max(own, before.length - LONGEST_DICTIONARY, 0)));
    streams.push({ dictionary, bytes: content.subarray(start, end) });
    from = end;
    BEGIN.lastIndex = Math.min(all.length, end + END_OF_STREAM.length);
  }
  texts.push(all.slice(from));
  return { text: unescapeNames(texts.join("\n")), streams };
}

/** Names may contain escapes: `/J#53` is `/JS` (ISO 32000-1, 7.3.5). */
function unescapeNames(text: string): string {
  return text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * Limit for the inflated bytes of all streams of a PDF: a page at 600 dots per inch, in colour, has a hundred million.
 */
const MAX_INFLATED_BYTES = 400_000_000;
/** Maximum size of a stream that holds objects. */
const MOST_OF_OBJECTS = 16_000_000;
const MOST_PACKED_TWICE = 2;
const FLATE = /\/(?:FlateDecode|Fl)\b/g;

/**
 * Inflates the streams that a PDF reader would inflate, only to measure them. Returns the text of those that hold
 * objects.
 * @throws FaultyFile `too_large_unpacked`
 */
async function inflateObjectStreams(streams: readonly PdfStream[]): Promise<readonly string[]> {
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

/** Keeps only the first bytes. Inflation ends at the first error: the PDF reader decides what that means. */
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
