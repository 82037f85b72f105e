import { Readable } from "node:stream";
import { constants, createInflateRaw } from "node:zlib";
import type { FileFault } from "@travel-booking/domain";
import { FaultyFile, isPolyglotFile } from "./faulty-file.ts";
import {
  type PdfDictionary,
  PdfName,
  PdfReference,
  type PdfStream,
  type PdfValue,
  packedObjectsOf,
  pdfObjectsOf,
  type ValueBudget,
} from "./pdf-objects.ts";
import { MAX_PIXELS } from "./read-image.ts";

/** One or two line ends and padding may follow the end of a PDF. */
const MOST_BEHIND_END = 1_024;
const END_OF_FILE = "%%EOF";
/** Of all objects. A scan of twenty pages has a few thousand. */
const MOST_VALUES = 500_000;

/** Refuses a PDF that is more than visible pages, before anything else reads it. @throws FaultyFile */
export async function inspectPdf(content: Buffer): Promise<void> {
  const end = content.lastIndexOf(END_OF_FILE, undefined, "latin1");
  if (end === -1) throw new FaultyFile("damaged");
  if (isPolyglotFile(content) || content.length - end - END_OF_FILE.length > MOST_BEHIND_END) {
    throw new FaultyFile("mixed_formats");
  }
  const values = { left: MOST_VALUES };
  const { objects, trailers, streams } = pdfObjectsOf(content, values);
  const dictionaries = [...trailers, ...streams.map(({ dictionary }) => dictionary)];
  if (dictionaries.some((dictionary) => dictionary.has("Encrypt"))) throw new FaultyFile("encrypted");
  refuseLargeImages(streams);
  // A form with this entry draws a page of another file. In elements, which are no streams, it refers to others.
  if (streams.some(({ dictionary }) => dictionary.has("Ref"))) throw new FaultyFile("active_content");
  const packed = await inflateStreams(streams, values);
  refuseActiveContent([...trailers, ...objects, ...packed]);
}

/** Entries that scripts, forms and files need, wherever they stand. */
const REFUSED_ENTRIES: ReadonlyMap<string, FileFault> = new Map([
  ["AA", "active_content"],
  ["AlternatePresentations", "active_content"],
  ["JS", "active_content"],
  ["JavaScript", "active_content"],
  ["OPI", "active_content"],
  ["OnInstantiate", "active_content"],
  ["XFA", "active_content"],
  ["Collection", "embedded_files"],
  ["EF", "embedded_files"],
  ["EmbeddedFiles", "embedded_files"],
]);

/**
 * Kinds of actions, annotations, drawings (PS) and files elsewhere that run, play, contain or reach for something. Links
 * within and to addresses may, and what only changes the view: Hide, ResetForm, SetOCGState, Trans, GoToDp.
 */
const REFUSED_KINDS: ReadonlySet<string> = new Set(
  `3D Filespec GoTo3DView GoToE GoToR ImportData JavaScript Launch Movie Named PRC PS Rendition RichMedia
  RichMediaExecute Sound SubmitForm Thread U3D`.split(/\s+/),
);
const FILE_KINDS: ReadonlySet<string> = new Set(["EmbeddedFile", "FileAttachment"]);
const ADDRESSES: ReadonlySet<string> = new Set(["URI", "Base"]);
const ALLOWED_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/**
 * Looks at everything in all objects, wherever it stands: only cross-references tell which object another one means,
 * and they may say anything. So what a file begins with by itself may be any address in it. @throws FaultyFile
 */
function refuseActiveContent(values: readonly PdfValue[]): void {
  const all = [...values];
  let [acts, hasAddress] = [false, false];
  for (const value of all) {
    if (value instanceof PdfName) {
      if (REFUSED_KINDS.has(value.name)) throw new FaultyFile("active_content");
      if (FILE_KINDS.has(value.name)) throw new FaultyFile("embedded_files");
    } else if (Array.isArray(value)) {
      for (const part of value) all.push(part);
    } else if (value instanceof Map) {
      for (const [key, part] of value as PdfDictionary) {
        const fault = REFUSED_ENTRIES.get(key);
        if (fault !== undefined) throw new FaultyFile(fault);
        if (ADDRESSES.has(key) && !isAllowedAddress(part)) throw new FaultyFile("active_content");
        if (key === "OpenAction" && !isView(part)) acts = true;
        if (key === "URI" && typeof part === "string") hasAddress = true;
        // An article has this type. An action of this kind may open one in another file.
        if (!(key === "Type" && part instanceof PdfName && part.name === "Thread")) all.push(part);
      }
    }
  }
  if (acts && hasAddress) throw new FaultyFile("active_content");
}

/** Whether a file begins with no more than a place in it. */
function isView(value: PdfValue): boolean {
  if (!(value instanceof Map)) return Array.isArray(value);
  const kind = value.get("S");
  return kind instanceof PdfName && kind.name === "GoTo" && !value.has("Next");
}

/** An action has an address, and the catalogue a dictionary with one from which others start. */
function isAllowedAddress(value: PdfValue): boolean {
  return typeof value === "string" ? ALLOWED_ADDRESS.test(value) : value instanceof Map;
}

function refuseLargeImages(streams: readonly PdfStream[]): void {
  for (const { dictionary } of streams) {
    const [width, height] = [dictionary.get("Width") ?? 0, dictionary.get("Height") ?? 0];
    if (typeof width !== "number" || typeof height !== "number") throw new FaultyFile("damaged");
    if (width * height > MAX_PIXELS) throw new FaultyFile("image_too_large");
  }
}

/** Limit for the inflated bytes of all streams of a PDF. A colour page at 600 dots per inch has a hundred million. */
const MAX_INFLATED_BYTES = 400_000_000;
/** Limit for all streams that hold objects. */
const MOST_OF_OBJECTS = 16_000_000;
const MOST_PACKED_TWICE = 2;
const FLATES = new Set(["FlateDecode", "Fl"]);

/**
 * Inflates the streams that a PDF reader would inflate, to measure them. Data that is first packed in another way is
 * not measured; there the memory limit of this process applies. Returns the packed objects.
 * @throws FaultyFile `too_large_unpacked`; `damaged`, also if something is packed as no writer does it
 */
async function inflateStreams(streams: readonly PdfStream[], values: ValueBudget): Promise<readonly PdfValue[]> {
  const budget = { left: MAX_INFLATED_BYTES, leftOfObjects: MOST_OF_OBJECTS };
  const objects: PdfValue[] = [];
  for (const { dictionary, bytes } of streams) {
    const filters = filtersOf(dictionary);
    const others = filters.findIndex((name) => !FLATES.has(name));
    const times = others === -1 ? filters.length : others;
    if (times > MOST_PACKED_TWICE) throw new FaultyFile("too_large_unpacked");
    // A stream of objects has the place of its first one, whether or not it declares its type.
    const holdsObjects = dictionary.has("First");
    if (holdsObjects && (others !== -1 || dictionary.has("DecodeParms") || !isWhole(dictionary, bytes))) {
      throw new FaultyFile("damaged");
    }
    const pieces: Buffer[] = [];
    const isFlushed = !holdsObjects && isOnlyFlushed(dictionary, bytes);
    for await (const piece of unpacked(bytes, isEmpty(bytes) ? 0 : times, budget, isFlushed)) {
      if (!holdsObjects) continue;
      budget.leftOfObjects -= piece.length;
      if (budget.leftOfObjects < 0) throw new FaultyFile("too_large_unpacked");
      pieces.push(piece);
    }
    if (!holdsObjects) continue;
    for (const object of packedObjectsOf(dictionary, Buffer.concat(pieces), values)) objects.push(object);
  }
  return objects;
}

/** The names of a stream's filters, in the order of unpacking. What stands elsewhere has none, and is not measured. */
function filtersOf(dictionary: PdfDictionary): readonly string[] {
  // Under these short names some parsers look for filters, others for a file elsewhere.
  if (dictionary.has("F") || dictionary.has("DP")) throw new FaultyFile("damaged");
  const filter = dictionary.get("Filter") ?? [];
  return (Array.isArray(filter) ? (filter as readonly PdfValue[]) : [filter as PdfValue]).map((name) => {
    if (name instanceof PdfName) return name.name;
    if (name instanceof PdfReference) return "";
    throw new FaultyFile("damaged");
  });
}

/** Whether a stream without a filter ends where its dictionary says. One with a filter ends by itself. */
function isWhole(dictionary: PdfDictionary, bytes: Buffer): boolean {
  return dictionary.has("Filter") || endsAsTold(dictionary, bytes);
}

/** Whether all parsers find the end of a stream at the same place. */
function endsAsTold(dictionary: PdfDictionary, bytes: Buffer): boolean {
  const length = dictionary.get("Length");
  if (typeof length !== "number" || length < 0 || length > bytes.length) return false;
  return bytes.subarray(length).toString("latin1").trim() === "";
}

/** The length of an empty block (RFC 1951, section 3.2.4), by which some writers end deflated data: it is not marked as the last. */
const FLUSH = Buffer.from([0, 0, 255, 255]);

/** Whether deflated data does not end by itself, but surely ends here. */
function isOnlyFlushed(dictionary: PdfDictionary, bytes: Buffer): boolean {
  if (!endsAsTold(dictionary, bytes)) return false;
  const end = dictionary.get("Length") as number;
  return bytes.subarray(Math.max(0, end - FLUSH.length), end).equals(FLUSH);
}

/** Whether there is no more than a line end, which no filter takes. Writers pack empty pages so. */
function isEmpty(bytes: Buffer): boolean {
  return bytes.length <= 2 && bytes.toString("latin1").trim() === "";
}

function unpacked(bytes: Buffer, times: number, budget: { left: number }, isFlushed: boolean): AsyncIterable<Buffer> {
  let source: AsyncIterable<Buffer> = Readable.from([bytes]);
  for (let time = 0; time < times; time += 1) source = inflated(source, budget, isFlushed && time === 0);
  return source;
}

/** Bytes before the data of a zlib stream (RFC 1950, section 2.2). */
const ZLIB_HEADER = 2;

/**
 * Inflates as the PDF reader does, which ignores a wrong checksum. Data without an end is damaged, unless it is flushed:
 * a reader may look for the end behind the stream.
 */
async function* inflated(
  source: AsyncIterable<Buffer>,
  budget: { left: number },
  isFlushed: boolean,
): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw(isFlushed ? { finishFlush: constants.Z_SYNC_FLUSH } : {});
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
