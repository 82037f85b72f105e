import { FaultyFile } from "./faulty-file.ts";

export class PdfName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `7 0 R`. What it stands for is nobody's to say here. */
export class PdfReference {}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;
export type PdfValue = string | number | boolean | null | PdfName | PdfReference | PdfDictionary | readonly PdfValue[];

export interface PdfStream {
  readonly dictionary: PdfDictionary;
  /** Its bytes as stored. */
  readonly bytes: Buffer;
}

/** All objects of a PDF, also those that an update has replaced. */
export interface PdfObjects {
  readonly objects: readonly PdfValue[];
  readonly trailers: readonly PdfDictionary[];
  readonly streams: readonly PdfStream[];
}

/** Values that may still be read of a PDF. */
export interface ValueBudget {
  left: number;
}

const DEEPEST = 100;
/** Words between objects, besides those that begin one. */
const BETWEEN_OBJECTS = new Set(["endobj", "xref", "n", "f", "startxref"]);
const IS_NUMBER = /^[\d.+-]+$/;
const IS_WHOLE = /^\d{1,10}$/;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Some writers end a file without a line end, so an update of it seems to begin in a comment. */
const END_BEFORE_UPDATE = /%%EOF(?=\d+ \d+ obj)/g;
/** Some writers leave no blank behind the length of a stream. */
const NUMBER_AT_END = /^\d{1,10}endobj$/;

/** Words that a parser may begin with, wherever cross-references lead it. Text and pictures don't have them by chance. */
const KEYWORDS =
  /(?:obj(?<=(?:[\d.+\-\r\n][\0\s]*[\d.+-]+|[\r\n])[\0\s]*obj)|stream(?<=[>\r\n][\0\s]*stream)|trailer(?<=[\0\s()<>[\]{}%]trailer))(?![^\0\s()<>[\]{}%/])/g;

/**
 * Splits a PDF into its objects from its first byte to its last, without its cross-references. So every parser finds
 * the same: a keyword in a text, a comment or a stream, where cross-references could lead it, makes the file damaged.
 * @throws FaultyFile `damaged`, also if a syntax error may be read in more than one way
 */
export function pdfObjectsOf(content: Buffer, budget: ValueBudget): PdfObjects {
  const text = content.toString("latin1").replaceAll(END_BEFORE_UPDATE, (end) => " ".repeat(end.length));
  const parser = new PdfParser(text, budget);
  const objects: PdfValue[] = [];
  const trailers: PdfDictionary[] = [];
  const streams: PdfStream[] = [];
  const keywords = new Set<number>();
  for (let word = parser.word(); word !== ""; word = parser.word()) {
    if (word === "trailer") {
      keywords.add(parser.at - word.length);
      trailers.push(dictionaryOf(parser.value()));
    } else if (word === "obj") {
      keywords.add(parser.at - word.length);
      const value = parser.value();
      objects.push(value);
      const next = parser.word();
      if (next === "stream") {
        keywords.add(parser.at - next.length);
        streams.push({ dictionary: dictionaryOf(value), bytes: content.subarray(...parser.skipStream()) });
      } else if (next !== "endobj") throw new FaultyFile("damaged");
    } else if (!IS_NUMBER.test(word) && !BETWEEN_OBJECTS.has(word)) throw new FaultyFile("damaged");
  }
  if (!parser.isAtEnd) throw new FaultyFile("damaged");
  for (const { index } of text.matchAll(KEYWORDS)) if (!keywords.has(index)) throw new FaultyFile("damaged");
  return { objects, trailers, streams };
}

/** The objects of an unpacked stream of objects (ISO 32000-1, 7.5.7). @throws FaultyFile `damaged` */
export function packedObjectsOf(dictionary: PdfDictionary, unpacked: Buffer, budget: ValueBudget): readonly PdfValue[] {
  const [count, first] = [dictionary.get("N"), dictionary.get("First")];
  if (typeof count !== "number" || typeof first !== "number") throw new FaultyFile("damaged");
  const parser = new PdfParser(unpacked.toString("latin1"), budget);
  const places: number[] = [];
  for (let index = 0; index < count; index += 1) {
    parser.whole();
    places.push(first + parser.whole());
  }
  return places.map((place) => {
    // Parsers begin at the place, so that no object may lie in another one.
    if (place < parser.at) throw new FaultyFile("damaged");
    parser.at = place;
    const value = parser.value();
    if (parser.isBefore("stream")) throw new FaultyFile("damaged");
    return value;
  });
}

function dictionaryOf(value: PdfValue): PdfDictionary {
  if (value instanceof Map) return value as PdfDictionary;
  throw new FaultyFile("damaged");
}

/** Reads PDF syntax (ISO 32000-1, 7.2 and 7.3). */
class PdfParser {
  at = 0;
  readonly #text: string;
  readonly #budget: ValueBudget;

  constructor(text: string, budget: ValueBudget) {
    this.#text = text;
    this.#budget = budget;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  isBefore(text: string): boolean {
    const { at } = this;
    this.#skipBlanks();
    const isNext = this.#text.startsWith(text, this.at);
    this.at = at;
    return isNext;
  }

  /** The next number or keyword; empty before anything else. */
  word(): string {
    this.#skipBlanks();
    const start = this.at;
    while (isRegular(this.#text.charCodeAt(this.at))) this.at += 1;
    return this.#text.slice(start, this.at);
  }

  whole(): number {
    const word = this.word();
    if (!IS_WHOLE.test(word)) throw new FaultyFile("damaged");
    return Number(word);
  }

  value(depth = 0): PdfValue {
    this.#budget.left -= 1;
    if (this.#budget.left < 0) throw new FaultyFile("too_large_unpacked");
    if (depth > DEEPEST) throw new FaultyFile("damaged");
    this.#skipBlanks();
    if (this.#takes("<<")) return this.#dictionary(depth);
    if (this.#takes("[")) return this.#array(depth);
    if (this.#takes("(")) return this.#string();
    if (this.#takes("<")) return this.#hexString();
    if (this.#takes("/")) return new PdfName(this.#name());
    const word = this.word();
    if (IS_WHOLE.test(word)) return this.#isReference() ? new PdfReference() : Number(word);
    if (IS_NUMBER.test(word)) return Number.parseFloat(word) || 0;
    if (NUMBER_AT_END.test(word)) {
      this.at -= "endobj".length;
      return Number.parseInt(word, 10);
    }
    const constant = CONSTANTS.get(word);
    if (constant === undefined) throw new FaultyFile("damaged");
    return constant;
  }

  /** Start and end of the bytes of a stream, behind its keyword. */
  skipStream(): [start: number, end: number] {
    while (this.#takes(" ") || this.#takes("\t"));
    if (!this.#takes("\r\n") && !this.#takes("\n") && !this.#takes("\r")) throw new FaultyFile("damaged");
    const start = this.at;
    const end = this.#text.indexOf("endstream", start);
    if (end === -1) throw new FaultyFile("damaged");
    this.at = end + "endstream".length;
    return [start, end];
  }

  #takes(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  #skipBlanks(): void {
    for (; !this.isAtEnd; this.at += 1) {
      const code = this.#text.charCodeAt(this.at);
      if (code === PERCENT) while (!this.isAtEnd && !isLineEnd(this.#text.charCodeAt(this.at))) this.at += 1;
      else if (!isBlank(code)) return;
    }
  }

  #dictionary(depth: number): PdfDictionary {
    const entries = new Map<string, PdfValue>();
    for (this.#skipBlanks(); !this.#takes(">>"); this.#skipBlanks()) {
      if (!this.#takes("/")) throw new FaultyFile("damaged");
      const key = this.#name();
      const known = entries.get(key);
      const value = this.value(depth + 1);
      if (known === undefined) entries.set(key, value);
      // Parsers differ in which of two they take. Some writers repeat a name, but none that says how to read the rest.
      else if (key !== "Filter" && known instanceof PdfName && value instanceof PdfName)
        entries.set(key, [known, value]);
      else throw new FaultyFile("damaged");
    }
    return entries;
  }

  #array(depth: number): readonly PdfValue[] {
    const values: PdfValue[] = [];
    for (this.#skipBlanks(); !this.#takes("]"); this.#skipBlanks()) values.push(this.value(depth + 1));
    return values;
  }

  /** Names may contain escapes: `/J#53` is `/JS`. */
  #name(): string {
    const start = this.at;
    while (isRegular(this.#text.charCodeAt(this.at))) this.at += 1;
    return this.#text
      .slice(start, this.at)
      .replaceAll(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }

  #string(): string {
    const start = this.at;
    for (let open = 1; open > 0; this.at += 1) {
      if (this.isAtEnd) throw new FaultyFile("damaged");
      const character = this.#text[this.at];
      if (character === "\\") this.at += 1;
      else if (character === "(") open += 1;
      else if (character === ")") open -= 1;
    }
    return this.#text
      .slice(start, this.at - 1)
      .replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal?: string, one = "") =>
        octal === undefined
          ? (ESCAPES[one] ?? one.replaceAll(/[\r\n]/g, ""))
          : String.fromCharCode(Number.parseInt(octal, 8) & 255),
      );
  }

  #hexString(): string {
    const end = this.#text.indexOf(">", this.at);
    if (end === -1) throw new FaultyFile("damaged");
    const digits = this.#text.slice(this.at, end).replaceAll(/[\0\s]/g, "");
    this.at = end + 1;
    if (/[^0-9A-Fa-f]/.test(digits)) throw new FaultyFile("damaged");
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex").toString("latin1");
  }

  /** Whether the number that was read begins a reference, which then is read to its end. */
  #isReference(): boolean {
    const { at } = this;
    if (IS_WHOLE.test(this.word()) && this.word() === "R") return true;
    this.at = at;
    return false;
  }
}

const PERCENT = 37;
const BLANKS = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([..."()<>[]{}/%"].map((character) => character.charCodeAt(0)));

const isBlank = (code: number) => BLANKS.has(code);
const isLineEnd = (code: number) => code === 10 || code === 13;
/** Also false behind the end, where the code is NaN. */
const isRegular = (code: number) => code >= 0 && !BLANKS.has(code) && !DELIMITERS.has(code);
