import type { FileFault } from "@travel-booking/domain";

/** The service refuses the file without reading it. */
export class FaultyFile extends Error {
  override readonly name = "FaultyFile";
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Readers look for the start of a PDF or an HTML page within this many bytes. */
const BEGINNING = 1_024;
const TAIL = 4_096;
/** The record that ends a ZIP file has a fixed length; a comment of limited length may follow it. */
const ZIP_END = "PK\u0005\u0006";
const ZIP_END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const COMMENT_LENGTH_AT = 20;

const MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|\?php|\?xml)[\s>]/i;
const ARCHIVES = ["Rar!\u001a\u0007", "7z\u00bc\u00af\u0027\u001c"];

/**
 * Whether a file that starts as one format can also pass for another. Readers parse a ZIP file from its end, and find
 * other archives after any beginning. A PDF may start late, and a browser sniffs HTML.
 */
export function isPolyglotFile(content: Buffer): boolean {
  const beginning = content.toString("latin1", 0, BEGINNING);
  const tail = content.toString("latin1", Math.max(0, content.length - TAIL));
  return (
    beginning.indexOf("%PDF-", 1) !== -1 ||
    MARKUP.test(beginning) ||
    MARKUP.test(tail) ||
    ARCHIVES.some((mark) => content.includes(mark, 0, "latin1")) ||
    endsAsZip(content)
  );
}

function endsAsZip(content: Buffer): boolean {
  const from = Math.max(0, content.length - ZIP_END_LENGTH - LONGEST_COMMENT);
  for (let at = content.indexOf(ZIP_END, from, "latin1"); at !== -1; at = content.indexOf(ZIP_END, at + 1, "latin1")) {
    if (at + ZIP_END_LENGTH > content.length) continue;
    const comment = content.readUInt16LE(at + COMMENT_LENGTH_AT);
    if (at + ZIP_END_LENGTH + comment <= content.length) return true;
  }
  return false;
}
