import { Readable } from "node:stream";
import { constants, createInflateRaw } from "node:zlib";
import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { FaultyFile, isPolyglotFile } from "./faulty-file.ts";
import { MAX_PIXELS } from "./read-image.ts";

/** One or two line ends and padding may follow the end of a PDF. */
const MOST_BEHIND_END = 1_024;
const END_OF_FILE = "%%EOF";

const ENCRYPTED = /\/Encrypt\b/;
/** Long enough that no picture contains them by chance. */
const ACTIVE = /\/(?:JavaScript|Launch|SubmitForm|ImportData|RichMedia|Rendition)\b/;
const EMBEDDED = /\/(?:EmbeddedFiles?|FileAttachment)\b/;

/** Refuses a PDF that is more than visible pages, before anything else reads it. @throws FaultyFile */
export async function inspectPdf(content: Buffer): Promise<void> {
  const end = content.lastIndexOf(END_OF_FILE, undefined, "latin1");
  if (end === -1) throw new FaultyFile("damaged");
  if (isPolyglotFile(content) || content.length - end - END_OF_FILE.length > MOST_BEHIND_END) {
    throw new FaultyFile("mixed_formats");
  }
  if (ENCRYPTED.test(unescapeNames(content.toString("latin1")))) throw new FaultyFile("encrypted");
  const streams = streamsOf(content);
  refuseLargeImages(streams);
  await refuseActiveContent(content, streams);
}

/**
 * Refuses active content that the parser finds, however it is packed. The document's own scripts and files are reported
 * by the parser. Actions of pages are found in a plain copy of them that the parser writes.
 * @throws FaultyFile
 */
export async function inspectParsedPdf(document: PDFDocumentProxy): Promise<void> {
  const { info } = (await document.getMetadata()) as { readonly info: ParsedInfo };
  if (info.EncryptFilterName != null) throw new FaultyFile("encrypted");
  if (info.IsXFAPresent || (await document.getJSActions()) !== null) throw new FaultyFile("active_content");
  if (info.IsCollectionPresent || (await document.getAttachments()) !== null) throw new FaultyFile("embedded_files");
  const written = (await document.extractPages([{ document: null }])) as Uint8Array | null;
  if (written === null) throw new FaultyFile("damaged");
  const pages = Buffer.from(written);
  // The other streams were measured before.
  await refuseActiveContent(pages, streamsOf(pages).filter(holdsObjects));
}

interface ParsedInfo {
  readonly EncryptFilterName?: string | null;
  readonly IsXFAPresent?: boolean;
  readonly IsCollectionPresent?: boolean;
}

async function refuseActiveContent(content: Buffer, streams: readonly PdfStream[]): Promise<void> {
  for (const bytes of [content, ...(await inflateObjectStreams(streams))]) {
    const text = unescapeNames(bytes.toString("latin1"));
    if (ACTIVE.test(text)) throw new FaultyFile("active_content");
    if (EMBEDDED.test(text)) throw new FaultyFile("embedded_files");
  }
}

function refuseLargeImages(streams: readonly PdfStream[]): void {
  for (const { dictionary } of streams) {
    if (!/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const size = (side: string) => Number(new RegExp(`/${side}\\s+(\\d+)`).exec(dictionary)?.[1] ?? 0);
    if (size("Width") * size("Height") > MAX_PIXELS) throw new FaultyFile("image_too_large");
  }
}

/** A stream of a PDF: its dictionary with names unescaped, and its bytes as stored. */
interface PdfStream {
  readonly dictionary: string;
  readonly bytes: Buffer;
}

/** The end of a dictionary and the keyword after it. The gap is bounded, because a file may be full of such ends. */
const BEGIN = />>(?:[\s\0]{0,64}%[^\r\n]{0,256}[\r\n]){0,2}[\s\0]{0,64}stream[ \t]{0,64}(?:\r\n?|\n)/g;
const END_OF_STREAM = "endstream";

/** Finds streams by their keywords, even in comments and other streams, so that cross-references can't hide any. */
function streamsOf(content: Buffer): readonly PdfStream[] {
  const all = content.toString("latin1");
  const streams: PdfStream[] = [];
  let from = 0;
  let end = -1;
  for (const begin of all.matchAll(BEGIN)) {
    const start = begin.index + begin[0].length;
    const before = all.slice(from, begin.index);
    const dictionary = unescapeNames(before.slice(Math.max(0, before.lastIndexOf(" obj"))));
    if (end < start) end = all.indexOf(END_OF_STREAM, start);
    if (end === -1) end = all.length;
    streams.push({ dictionary, bytes: content.subarray(start, end) });
    from = start;
  }
  return streams;
}

/** Names may contain escapes: `/J#53` is `/JS` (ISO 32000-1, 7.3.5). */
function unescapeNames(text: string): string {
  return text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Limit for the inflated bytes of all streams of a PDF. A colour page at 600 dots per inch has a hundred million. */
const MAX_INFLATED_BYTES = 400_000_000;
/** Maximum size of a stream that holds objects. */
const MOST_OF_OBJECTS = 16_000_000;
const MOST_PACKED_TWICE = 2;
/** The names of a stream's filters, in the order of unpacking. */
const FILTERS = /\/Filter\s*(\/\w+|\[[\s\w/]*\])/;
const IS_FLATE = /^\/(?:FlateDecode|Fl)$/;

/** A stream of objects has the offset of its first object, whether or not it declares its type. */
function holdsObjects({ dictionary }: PdfStream): boolean {
  return /\/(?:ObjStm|First)\b/.test(dictionary);
}

/**
 * Inflates the streams that a PDF reader would inflate, to measure them. Data that is first packed in another way is
 * not measured; there the memory limit of this process applies. Returns the unpacked streams that hold objects.
 * @throws FaultyFile `too_large_unpacked`; `damaged`, also if objects are packed as no writer does it
 */
async function inflateObjectStreams(streams: readonly PdfStream[]): Promise<readonly Buffer[]> {
  const budget = { left: MAX_INFLATED_BYTES };
  const objects: Buffer[] = [];
  for (const stream of streams) {
    const { dictionary, bytes } = stream;
    const filters = FILTERS.exec(dictionary)?.[1]?.match(/\/\w+/g) ?? [];
    const others = filters.findIndex((name) => !IS_FLATE.test(name));
    const times = others === -1 ? filters.length : others;
    if (times > MOST_PACKED_TWICE) throw new FaultyFile("too_large_unpacked");
    const most = holdsObjects(stream) ? MOST_OF_OBJECTS : 0;
    if (most > 0 && !isPlainlyPacked(dictionary, filters, times)) throw new FaultyFile("damaged");
    if (times === 0 && most === 0) continue;
    const unpacked = await inflateStream(bytes, times, budget, most);
    if (most > 0) objects.push(unpacked);
  }
  return objects;
}

function isPlainlyPacked(dictionary: string, filters: readonly string[], flates: number): boolean {
  if (/\/DecodeParms\b/.test(dictionary)) return false;
  return filters.length === flates && (flates > 0 || !/\/Filter\b/.test(dictionary));
}

/** Inflates a stream, and keeps only its first bytes. */
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

/** Bytes before the data of a zlib stream (RFC 1950, section 2.2). */
const ZLIB_HEADER = 2;

/** Inflates as the PDF reader does, which ignores a wrong checksum and a missing end. */
async function* inflated(source: AsyncIterable<Buffer>, budget: { left: number }): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const feeding = Readable.from(withoutFirst(ZLIB_HEADER, source)).on("error", (error) => inflate.destroy(error));
  feeding.pipe(inflate);
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      budget.left -= piece.length;
      if (budget.left < 0) throw new FaultyFile("too_large_unpacked");
      yield piece;
    }
  } catch (error) {
    throw error instanceof FaultyFile ? error : new FaultyFile("damaged");
  } finally {
    feeding.destroy();
    inflate.destroy();
  }
}

async function* withoutFirst(bytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const piece of source) {
    yield piece.subarray(left);
    left -= Math.min(left, piece.length);
  }
}
