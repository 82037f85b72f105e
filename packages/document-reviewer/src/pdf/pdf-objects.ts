/** A stream of a PDF: what its dictionary says, and its bytes as they are stored. */
export interface PdfStream {
  readonly dictionary: string;
  readonly bytes: Buffer;
}

/** A PDF taken apart without being understood. */
export interface PdfParts {
  /** Everything that is no stream's content, its names without escapes. */
  readonly text: string;
  readonly streams: readonly PdfStream[];
}

const BEGIN = /stream\r?\n/g;
const END = "endstream";
/** A dictionary longer than this is no scan's. */
const LONGEST_DICTIONARY = 65_536;

/** Takes a PDF apart by its keywords, so that nothing its cross-references hide is missed. */
export function splitPdf(content: Buffer): PdfParts {
  const all = content.toString("latin1");
  const texts: string[] = [];
  const streams: PdfStream[] = [];
  let from = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(all); begin !== null; begin = BEGIN.exec(all)) {
    const start = begin.index + begin[0].length;
    const found = all.indexOf(END, start);
    const end = found === -1 ? all.length : found;
    const before = all.slice(from, begin.index);
    texts.push(before);
    const own = before.lastIndexOf(" obj");
    const dictionary = unescapeNames(before.slice(Math.max(own, before.length - LONGEST_DICTIONARY, 0)));
    streams.push({ dictionary, bytes: content.subarray(start, end) });
    from = end;
    BEGIN.lastIndex = Math.min(all.length, end + END.length);
  }
  texts.push(all.slice(from));
  return { text: unescapeNames(texts.join("\n")), streams };
}

/** Names may be written with escapes: `/J#53` is `/JS` (ISO 32000-1, 7.3.5). */
export function unescapeNames(text: string): string {
  return text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
