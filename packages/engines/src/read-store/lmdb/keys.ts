import { KeyTooLong } from "../port.ts";
import { TEXT_UPPER_BOUND, writeText } from "./sortable-text.ts";

/** LMDB takes no longer key than this with its usual page size. */
const LONGEST = 1978;
/** Nothing longer is stored, so that a bound cut off at `MAX_LENGTH` still stands on the right side of all there is. */
const LONGEST_STORED = 1900;

const GENERATION_BYTES = 4;
const PARTITION_LENGTH_BYTES = 2;

/**
 * The keys of one model in one generation:
 * `<generation id><length of the model's name><model><document key>` for documents,
 * `<generation id><length><model><length><index><length of the partition><partition><sort>` for the rows of its lists.
 * What is returned is overwritten by the next call of the same kind.
 */
export class ModelKeys {
  readonly #scratch = Buffer.allocUnsafeSlow(LONGEST);
  readonly #rowScratch = Buffer.allocUnsafeSlow(LONGEST_STORED);
  readonly #documentPrefix: number;
  readonly #rowPrefixes = new Map<string, Buffer>();

  constructor(generationId: number, model: string) {
    this.#scratch.writeUInt32BE(generationId);
    this.#documentPrefix = writeName(this.#scratch, GENERATION_BYTES, model);
  }

  /** Undefined for a key that can't have been stored. */
  document(key: string): Buffer | undefined {
    const end = writeText(key, this.#scratch, this.#documentPrefix, LONGEST_STORED);
    return end < 0 ? undefined : this.#scratch.subarray(0, end);
  }

  /** By the key as a row of a list holds it. */
  documentOfRow(rowValue: Uint8Array): Buffer {
    this.#scratch.set(rowValue, this.#documentPrefix);
    return this.#scratch.subarray(0, this.#documentPrefix + rowValue.length);
  }

  /** What a row of a list holds: the document's key. */
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

  /** Where the rows of one list stand; undefined for a partition that can't have been stored. Not overwritten. */
  range(index: string, partition: string): ListRange | undefined {
    const target = Buffer.allocUnsafe(LONGEST_STORED);
    const end = this.#writeList(target, index, partition);
    return end < 0 ? undefined : new ListRange(target.subarray(0, end));
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

/** Where the rows of one list stand. */
export class ListRange {
  readonly #prefix: Buffer;

  constructor(prefix: Buffer) {
    this.#prefix = prefix;
  }

  get sortStart(): number {
    return this.#prefix.length;
  }

  start(): Buffer {
    return this.#prefix;
  }

  end(): Buffer {
    return Buffer.concat([this.#prefix, Uint8Array.of(TEXT_UPPER_BOUND)]);
  }

  at(sort: string): Buffer {
    const target = Buffer.allocUnsafe(LONGEST);
    const end = writeText(sort, target, this.#prefix.copy(target), LONGEST);
    return target.subarray(0, end < 0 ? LONGEST_STORED + 1 : end);
  }
}

/** Everything of one generation starts with it. */
export function generationRange(generationId: number): { readonly start: Buffer; readonly end: Buffer } {
  const start = Buffer.alloc(GENERATION_BYTES);
  const end = Buffer.alloc(GENERATION_BYTES);
  start.writeUInt32BE(generationId);
  end.writeUInt32BE(generationId + 1);
  return { start, end };
}

function writeName(target: Buffer, at: number, name: string): number {
  const end = writeText(name, target, at + 1, at + 1 + 0xff);
  if (end < 0) throw new KeyTooLong(`the name ${name} is too long`);
  target[at] = end - at - 1;
  return end;
}
