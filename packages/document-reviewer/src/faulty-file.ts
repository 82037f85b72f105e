import type { FileFault } from "@travel-booking/domain";

/** The file is refused unread. */
export class FaultyFile extends Error {
  override readonly name = "FaultyFile";
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Readers look for the beginning of a PDF or of a page of HTML in so many first bytes. */
const BEGINNING = 1_024;
const TAIL = 4_096;
/** The record that ends a ZIP file: so long, and up to so much comment behind it. */
const ZIP_END = "PK\u0005\u0006";
const ZIP_END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const COMMENT_LENGTH_AT = 20;

const MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|\?php|\?xml)[\s>]/i;
const ARCHIVES = ["Rar!\u001a\u0007", "7z\u00bc\u00af\u0027\u001c"];

/**
 * Whether a file that begins as one format can be taken for another, too: a ZIP file is read from its end, a PDF may
 * begin late, and a browser takes for HTML what looks like it.
 */
export function isPolyglotFile(content: Buffer): boolean {
  const beginning = content.toString("latin1", 0, BEGINNING);
  const tail = content.toString("latin1", Math.max(0, content.length - TAIL));
  return (
    beginning.indexOf("%PDF-", 1) !== -1 ||
    MARKUP.test(beginning) ||
    MARKUP.test(tail) ||
    ARCHIVES.some((mark) => tail.includes(mark)) ||
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
