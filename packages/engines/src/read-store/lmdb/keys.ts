import { KeyTooLong } from "../index.ts";

/** The longest key of LMDB with its usual page size. */
const LONGEST = 1978;
/** The longest key stored, so that a bound cut off at `LONGEST` still compares correctly with all keys. */
const LONGEST_STORED = 1900;

const PARTITION_LENGTH_BYTES = 2;
const NO_PREFIX = new Uint8Array(0);

/**
 * The keys of one model in one generation:
 * `<prefix><length of the model name><model><document key>` for documents,
 * `<prefix><length><model><length><index><length of the partition><partition><sort>` for the rows of its lists.
 * A returned buffer is overwritten by the next call of the same kind.
 */
export class ModelKeys {
  readonly #scratch = Buffer.allocUnsafeSlow(LONGEST);
  readonly #rowScratch = Buffer.allocUnsafeSlow(LONGEST_STORED);
  readonly #list = new ListRange();
  readonly #documentPrefix: number;
  readonly #rowPrefixes = new Map<string, Buffer>();

  constructor(model: string, prefix: Uint8Array = NO_PREFIX) {
    this.#scratch.set(prefix);
    this.#documentPrefix = writeName(this.#scratch, prefix.length, model);
  }

  /** Undefined for a key that is too long to be stored. */
  document(key: string): Buffer | undefined {
    const end = writeText(key, this.#scratch, this.#documentPrefix, LONGEST_STORED);
    return end < 0 ? undefined : this.#scratch.subarray(0, end);
  }

  /** The value of a row: the document's key. */
  rowValue(documentKey: Buffer): Buffer {
    return documentKey.subarray(this.#documentPrefix);
  }

  /** @throws KeyTooLong */
  row(index: string, partition: string, sort: string): Buffer {
    const list = this.#writeList(this.#rowScratch, index, partition);
    const end = list < 0 ? -1 : writeText(sort, this.#rowScratch, list, LONGEST_STORED);
    if (end < 0) throw new KeyTooLong(`index ${index}: partition and sort value are too long to be stored`);
    return this.#rowScratch.subarray(0, end);
  }

  /** The rows of one list; undefined for a partition that is too long to be stored. */
  range(index: string, partition: string): ListRange | undefined {
    const end = this.#writeList(this.#rowScratch, index, partition);
    if (end < 0) return undefined;
    this.#list.begin(this.#rowScratch, end);
    return this.#list;
  }

  #writeList(target: Buffer, index: string, partition: string): number {
    const start = this.#rowPrefix(index).copy(target) + PARTITION_LENGTH_BYTES;
    const end = writeText(partition, target, start, LONGEST_STORED);
    if (end >= 0) target.writeUInt16BE(end - start, start - PARTITION_LENGTH_BYTES);
    return end;
  }

  #rowPrefix(index: string): Buffer {
    const known = this.#rowPrefixes.get(index);
    if (known !== undefined) return known;
    const target = Buffer.allocUnsafe(LONGEST);
    this.#scratch.copy(target, 0, 0, this.#documentPrefix);
    const prefix = target.subarray(0, writeName(target, this.#documentPrefix, index));
    this.#rowPrefixes.set(index, prefix);
    return prefix;
  }
}

/** The key range of one list. */
export class ListRange {
  readonly #lower = Buffer.allocUnsafeSlow(LONGEST);
  readonly #upper = Buffer.allocUnsafeSlow(LONGEST);
  #sortStart = 0;

  /** The list whose rows begin with these bytes. */
  begin(prefix: Buffer, length: number): void {
    prefix.copy(this.#lower, 0, 0, length);
    prefix.copy(this.#upper, 0, 0, length);
    this.#sortStart = length;
  }

  /** Where the sort value begins in the key of a row. */
  get sortStart(): number {
    return this.#sortStart;
  }

  /** Its beginning, or this sort value. */
  lower(sort = ""): Buffer {
    return this.#at(this.#lower, sort);
  }

  /** Its end, or this sort value. */
  upper(sort?: string): Buffer {
    if (sort !== undefined) return this.#at(this.#upper, sort);
    this.#upper[this.#sortStart] = TEXT_UPPER_BOUND;
    return this.#upper.subarray(0, this.#sortStart + 1);
  }

  #at(target: Buffer, sort: string): Buffer {
    const end = writeText(sort, target, this.#sortStart, LONGEST);
    return target.subarray(0, end < 0 ? LONGEST_STORED + 1 : end);
  }
}

function writeName(target: Buffer, at: number, name: string): number {
  const end = writeText(name, target, at + 1, at + 1 + 0xff);
  if (end < 0) throw new KeyTooLong(`the name ${name} is too long`);
  target[at] = end - at - 1;
  return end;
}

/**
 * Encodes text as bytes that sort like the text, by code unit: every UTF-16 code unit is encoded on its own in the form
 * of UTF-8 (CESU-8, Unicode Technical Report 26). Any string is restored exactly, lone surrogates included. Returns
 * where the text ends, or -1 if `limit` cuts it off, after writing what fits.
 */
export function writeText(text: string, target: Uint8Array, start: number, limit: number): number {
  let at = start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (at + 1 > limit) return -1;
      target[at++] = unit;
    } else if (unit < 0x800) {
      if (at + 2 > limit) return -1;
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 0x3f);
    } else {
      if (at + 3 > limit) return -1;
      target[at++] = 0xe0 | (unit >> 12);
      target[at++] = 0x80 | ((unit >> 6) & 0x3f);
      target[at++] = 0x80 | (unit & 0x3f);
    }
  }
  return at;
}

/** Above the first byte of any text. */
const TEXT_UPPER_BOUND = 0xff;

/** Decodes what `writeText` wrote. It differs from UTF-8 in surrogates, which are no UTF-8 and are decoded as U+FFFD. */
export function readText(bytes: Buffer, start: number, end: number): string {
  const decoded = bytes.toString("utf8", start, end);
  if (!decoded.includes("\ufffd")) return decoded;
  let text = "";
  for (let at = start; at < end; ) {
    const lead = byteAt(bytes, at);
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      at += 1;
    } else if (lead < 0xe0) {
      text += String.fromCharCode(((lead & 0x1f) << 6) | (byteAt(bytes, at + 1) & 0x3f));
      at += 2;
    } else {
      const unit = ((lead & 0x0f) << 12) | ((byteAt(bytes, at + 1) & 0x3f) << 6) | (byteAt(bytes, at + 2) & 0x3f);
      text += String.fromCharCode(unit);
      at += 3;
    }
  }
  return text;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
