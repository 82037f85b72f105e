import { deflateSync } from "node:zlib";
import { PDFDocument, PDFStream } from "pdf-lib";

/** A stream of objects: further entries of its dictionary, its bytes, and the text around them. */
interface PackedObjects {
  readonly entries: string;
  readonly bytes: Buffer;
  readonly keyword?: string;
  /** A comment after `obj`. */
  readonly comment?: string;
  readonly type?: string;
}

const FLATE = "/Filter /FlateDecode";
const END = Buffer.from(" endstream ");
const hex = (bytes: Buffer) => Buffer.from(`${bytes.toString("hex")}>`);
const flate = (text: Buffer): PackedObjects => ({ entries: FLATE, bytes: deflateSync(text) });

/** Each row of a hundred bytes as the differences from byte to byte (PNG specification, filter type 1). */
function differences(text: Buffer): Buffer {
  const rows: Buffer[] = [];
  for (let from = 0; from < text.length; from += 100) {
    const row = Buffer.alloc(100, " ");
    text.copy(row, 0, from);
    rows.push(Buffer.from([1, ...row.map((value, at) => value - (row[at - 1] ?? 0))]));
  }
  return Buffer.concat(rows);
}

function withWrongChecksum(packed: Buffer): Buffer {
  packed.writeUInt8(packed.readUInt8(packed.length - 1) ^ 255, packed.length - 1);
  return packed;
}

type Packing = (text: Buffer) => PackedObjects;

/** Ways to pack a stream of objects that a PDF reader unpacks, and that writers of PDFs may use. */
export const PACKINGS: Readonly<Record<string, Packing>> = {
  "not at all": (text) => ({ entries: "", bytes: text }),
  deflated: flate,
  "behind a carriage return": (text) => ({ ...flate(text), keyword: "stream\r" }),
  "behind a blank": (text) => ({ ...flate(text), keyword: "stream \n" }),
  "without a type": (text) => ({ ...flate(text), type: "" }),
  "under a huge dictionary": (text) => ({ ...flate(text), entries: `${FLATE} /X (${"x".repeat(70_000)})` }),
  "with a wrong checksum": (text) => ({ entries: FLATE, bytes: withWrongChecksum(deflateSync(text)) }),
  "behind many blanks": (text) => ({ ...flate(text), keyword: `${" ".repeat(1_000)}stream\n` }),
  "behind a long comment": (text) => ({ ...flate(text), keyword: `%${"a".repeat(1_000)}\nstream\n` }),
  "behind a comment": (text) => ({ ...flate(text), comment: "% >>" }),
  "behind the word obj": (text) => ({ ...flate(text), entries: `${FLATE} /X ( obj)` }),
  "by a filter behind a comment": (text) => ({ entries: "/Filter % none\n/Fl#61teDecode", bytes: deflateSync(text) }),
};

/** Ways that no writer uses. INDIRECT is an array of one name, ASCIIHexDecode. */
export const UNUSUAL_PACKINGS: Readonly<Record<string, Packing>> = {
  "in hexadecimal": (text) => ({ entries: "/Filter /ASCIIHexDecode", bytes: hex(text) }),
  "deflated, in hexadecimal": (text) => ({
    entries: "/Filter [/ASCIIHexDecode /FlateDecode]",
    bytes: hex(deflateSync(text)),
  }),
  "by a filter that stands elsewhere": (text) => ({ entries: "/Filter INDIRECT", bytes: hex(text) }),
  "with a predictor": (text) => ({
    entries: `${FLATE} /DecodeParms << /Predictor 15 /Columns 100 >>`,
    bytes: deflateSync(differences(text)),
  }),
  "by a filter under a short name": (text) => ({ entries: "/F /FlateDecode", bytes: deflateSync(text) }),
  "by two filters, of which a reader takes one": (text) => ({
    entries: `${FLATE} /Filter []`,
    bytes: deflateSync(text),
  }),
  "with a second object in its dictionary": (text) => ({ ...flate(text), entries: `${FLATE} /X (endobj 1 0 obj)` }),
  "with a second object in a comment": (text) => ({ ...flate(text), comment: "%\r7 0 %\robj" }),
  "behind a keyword in a comment": (text) => ({ ...flate(text), comment: "% >>\nstream\n" }),
  "without its end": (text) => ({ entries: FLATE, bytes: deflateSync(text).subarray(0, -20) }),
  "with an end inside": (text) => ({ entries: FLATE, bytes: deflateSync(Buffer.concat([text, END]), { level: 0 }) }),
  "not at all, with an end inside": (text) => ({ entries: "", bytes: Buffer.concat([text, END]) }),
};

/**
 * The same PDF with an incremental update in a stream of objects: its catalogue, its first page and new objects (ISO
 * 32000-1, 7.5.6 to 7.5.8).
 */
export async function withPackedUpdate(
  base: Buffer,
  edit: (pdf: PDFDocument) => unknown,
  pack: Packing,
): Promise<Buffer> {
  const pdf = await PDFDocument.load(base);
  const { context, catalog } = pdf;
  // The library does not count the streams that it has unpacked.
  const known = Number(/\/Size (\d+)/.exec(base.toString("latin1"))?.[1]) - 1;
  context.largestObjectNumber = known;
  await edit(pdf);
  await pdf.flush();
  const page = pdf.getPage(0).node;
  const changed = context
    .enumerateIndirectObjects()
    .filter(([ref, object]) => ref.objectNumber > known || object === catalog || object === page)
    .map(([{ objectNumber: number }, object]) => {
      const text = Buffer.alloc(object.sizeInBytes());
      object.copyBytesInto(text, 0);
      return { number, text, isStream: object instanceof PDFStream };
    });
  const [filter, container, table] = [1, 2, 3].map((more) => context.largestObjectNumber + more) as [
    number,
    number,
    number,
  ];

  const pieces: Buffer[] = [base, Buffer.from("\n")];
  const rows = new Map<number, readonly [type: number, where: number, index: number]>();
  const write = (number: number, ...parts: readonly (Buffer | string)[]) => {
    rows.set(number, [1, Buffer.concat(pieces).length, 0]);
    pieces.push(Buffer.concat([`${number} 0 obj`, ...parts, "\nendobj\n"].map((part) => Buffer.from(part))));
  };
  for (const { number, text } of changed.filter(({ isStream }) => isStream)) write(number, "\n", text);
  write(filter, "\n[/ASCIIHexDecode]");

  const objects = changed.filter(({ isStream }) => !isStream);
  let offset = 0;
  const offsets = objects.map(({ number, text }, index) => {
    rows.set(number, [2, container, index]);
    offset += text.length + 1;
    return `${number} ${offset - text.length - 1} `;
  });
  const head = Buffer.from(offsets.join(""));
  const body = Buffer.concat(objects.flatMap(({ text }) => [text, Buffer.from("\n")]));
  const {
    entries,
    bytes,
    keyword = "stream\n",
    comment = "",
    type = "/Type /ObjStm",
  } = pack(Buffer.concat([head, body]));
  const dictionary = `<< ${type} /N ${objects.length} /First ${head.length} ${entries.replace("INDIRECT", `${filter} 0 R`)} /Length ${bytes.length} >>`;
  write(container, ` ${comment}\n${dictionary}\n${keyword}`, bytes, "\nendstream");

  const latin = base.toString("latin1");
  const startOfTable = Buffer.concat(pieces).length;
  const sorted = [...rows].toSorted(([one], [other]) => one - other);
  const packedRows = Buffer.concat(
    sorted.map(([, [kind, where, index]]) =>
      Buffer.from([kind, ...[24, 16, 8, 0].map((bits) => where >> bits), index >> 8, index]),
    ),
  );
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(latin)?.[1];
  const root = /\/Root (\d+ \d+ R)/.exec(latin)?.[1];
  const index = sorted.map(([number]) => `${number} 1`).join(" ");
  pieces.push(
    Buffer.from(
      `${table} 0 obj\n<< /Type /XRef /Size ${table + 1} /Root ${root} /Prev ${previous} /W [1 4 2] /Index [${index}] /Length ${packedRows.length} >>\nstream\n`,
    ),
    packedRows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${startOfTable}\n%%EOF\n`),
  );
  return Buffer.concat(pieces);
}
