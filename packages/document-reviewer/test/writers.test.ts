import { constants, deflateSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { inspectPdf } from "../src/inspect-pdf.ts";
import { onePage, rawPdf, streamObject } from "../testing/index.ts";

/** Without a last block. */
const flushed = (text: string) => deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
const drawn = (dictionary: string, bytes: Buffer) => onePage("", "/Contents 4 0 R", streamObject(dictionary, bytes));
const PAGE = "0 0 m 9 9 l S";
const FLATE = "/Filter /FlateDecode";
/** Both tell the length of the stream 4. */
const lengthElsewhere = (length: string) =>
  rawPdf(onePage("", "/Contents 4 0 R", `<< /Length 5 0 R >>\nstream\n${PAGE}\nendstream`, length));

/** An update that has nothing but an object, right behind what ends the file before. */
function updated(object: string): Buffer {
  const before = rawPdf(onePage()).toString("latin1").trimEnd();
  const start = before.lastIndexOf("startxref") + "startxref\n".length;
  const prev = before.slice(start, before.indexOf("\n", start));
  const xref = before.length + object.length;
  const table = `xref\n1 1\n${String(before.length).padStart(10, "0")} 00000 n\r\n`;
  const trailer = `trailer\n<< /Size 4 /Root 1 0 R /Prev ${prev} >>\nstartxref\n${xref}\n%%EOF`;
  return Buffer.from(before + object + table + trailer, "latin1");
}
const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R";

const faultOf = async (file: Buffer) =>
  inspectPdf(file).then(
    () => "read",
    (error: unknown) => (error as { readonly fault: string }).fault,
  );

describe("a PDF is read", () => {
  test.each([
    ["whose lines end with carriage returns", Buffer.from(rawPdf(onePage()).toString("latin1").replaceAll("\n", "\r"))],
    ["that ends without a line end and has an update", updated(`1 0 obj\r${CATALOGUE} >>\rendobj\r`)],
    ["whose data is flushed, and not ended", rawPdf(drawn(FLATE, flushed(PAGE)))],
    ["that has no blank behind a length", lengthElsewhere("13endobj\n6 0 obj\nnull")],
    ["that says twice what something is", rawPdf(onePage("/PageMode /UseNone /PageMode /UseOutlines"))],
    ["whose filter stands elsewhere", rawPdf([...drawn("/Filter 5 0 R", deflateSync(PAGE)), "[/FlateDecode]"])],
    [
      "whose stream of objects has blanks between them",
      rawPdf([...onePage(), streamObject("/N 2 /First 8", Buffer.from("5 0 6 4 null null"))]),
    ],
  ])("%s", async (_, file) => {
    expect(await faultOf(file)).toBe("read");
  });
});

describe("a PDF is refused", () => {
  test.each([
    ["active_content", "for a script in such an update", updated(`1 0 obj\r${CATALOGUE} /AA << >> >>\rendobj\r`)],
    ["damaged", "for an object in a comment", rawPdf([...onePage(), "<<\n%%EOF5 0 obj\n>>"])],
    ["damaged", "for an object in a text behind the end", updated("1 0 obj (\r5 0 obj << /AA 1 >> endobj\r) endobj\r")],
    [
      "damaged",
      "for flushed data of which it says that more follows",
      rawPdf(
        onePage(
          "",
          "/Contents 4 0 R",
          Buffer.concat([
            Buffer.from(`<< ${FLATE} /Length 900 >>\nstream\n`),
            flushed(PAGE),
            Buffer.from("\nendstream"),
          ]),
        ),
      ),
    ],
    [
      "damaged",
      "for objects in data that is flushed only",
      rawPdf([...onePage(), streamObject(`/N 1 /First 4 ${FLATE}`, flushed("5 0 null"))]),
    ],
    ["damaged", "for data that is cut off", rawPdf(drawn(FLATE, deflateSync(PAGE).subarray(0, -8)))],
    ["damaged", "for two filters", rawPdf(drawn(`${FLATE} ${FLATE}`, deflateSync(PAGE)))],
    ["damaged", "for two texts under one name", rawPdf(onePage("/Lang (en) /Lang (de)"))],
    [
      "active_content",
      "for the first of two kinds",
      rawPdf(onePage("/OpenAction << /S /Launch /S /URI /URI (https://example.org) >>")),
    ],
    [
      "active_content",
      "for the second of two kinds",
      rawPdf(onePage("/OpenAction << /S /URI /S /Launch /URI (https://example.org) >>")),
    ],
  ])("as %s %s", async (fault, _, file) => {
    expect(await faultOf(file)).toBe(fault);
  });
});
