import { createDeflate } from "node:zlib";

/** A PDF of these objects, of which the first is its catalogue, with correct cross-references. */
export function rawPdf(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(pieces.reduce((sum, { length }) => sum + length, 0));
    pieces.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n"));
  }
  const start = pieces.reduce((sum, { length }) => sum + length, 0);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table + end)]);
}

/** One empty page, with further entries in the catalogue and in the page, which may set its size. */
export function onePage(
  catalogue = "",
  page = "",
  ...others: readonly (string | Buffer)[]
): readonly (string | Buffer)[] {
  return [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R ${page.includes("/MediaBox") ? "" : "/MediaBox [0 0 300 200]"} ${page} >>`,
    ...others,
  ];
}

export function streamObject(dictionary: string, bytes: Buffer): Buffer {
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream")]);
}

/** So many megabytes of zeros, deflated. */
export async function deflatedZeros(megabytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 });
  const piece = Buffer.alloc(1_048_576);
  const done = deflate.toArray();
  for (let count = 0; count < megabytes; count += 1) {
    if (!deflate.write(piece)) await new Promise((resolve) => deflate.once("drain", resolve));
  }
  deflate.end();
  return Buffer.concat(await done);
}
