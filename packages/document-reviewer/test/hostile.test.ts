import { afterAll, describe, expect, test } from "@jest/globals";
import { PDFDocument } from "pdf-lib";
import sharp from "sharp";
import {
  blankImage,
  deflatedZeros,
  newReviewer,
  onePage,
  passportZone,
  pdfWithZone,
  rawPdf,
  streamObject,
} from "../testing/index.ts";

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

const ZONE = passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn: "360101" });
const ZIP_END = Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]);
const faulty = (fault: string) => ({ outcome: "faulty", fault });

async function edited(edit: (pdf: PDFDocument) => unknown, objectStreams = true): Promise<Buffer> {
  const pdf = await PDFDocument.load(await pdfWithZone(ZONE));
  await edit(pdf);
  return Buffer.from(await pdf.save({ useObjectStreams: objectStreams }));
}

const script = (pdf: PDFDocument) => pdf.addJavaScript("main", "app.alert('hello')");
const attached = (pdf: PDFDocument) => pdf.attach(Buffer.from("MZ"), "tool.exe", { mimeType: "application/zip" });
const annotated = (action: string) =>
  rawPdf(onePage("", `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action} >>]`));

describe("a PDF", () => {
  test.each<readonly [string, string, () => Promise<Buffer> | Buffer]>([
    ["that is encrypted", "encrypted", () => rawPdf(onePage(), "/Encrypt << /Filter /Standard /V 1 /R 2 /P -1 >>")],
    ["with a script", "active_content", () => edited(script, false)],
    ["with a script in a compressed object", "active_content", () => edited(script)],
    [
      "with a script under an escaped name",
      "active_content",
      () => rawPdf(onePage("/OpenAction << /S /J#61vaScript /#4aS (app.alert(1)) >>")),
    ],
    ["that starts a program", "active_content", () => annotated("<< /S /Launch /F (calc.exe) >>")],
    ["that sends a form", "active_content", () => annotated("<< /S /SubmitForm /F (http://192.0.2.1/) >>")],
    [
      "with an XML form",
      "active_content",
      () => rawPdf(onePage("/AcroForm << /XFA 4 0 R >>", "", streamObject("", Buffer.from("<xdp/>")))),
    ],
    ["with a file in it", "embedded_files", () => edited(attached, false)],
    ["with a file in it, in compressed objects", "embedded_files", () => edited(attached)],
    ["that is a ZIP file as well", "mixed_formats", async () => Buffer.concat([await pdfWithZone(ZONE), ZIP_END])],
    [
      "that is a page of HTML as well",
      "mixed_formats",
      () => rawPdf([...onePage(), "(<html><script>alert(1)</script></html>)"]),
    ],
    [
      "with a program behind it",
      "mixed_formats",
      async () => Buffer.concat([await pdfWithZone(ZONE), Buffer.alloc(2_000, "MZ")]),
    ],
    ["of a thousand pages", "too_many_pages", () => pdfWithZone([], 1_000)],
    [
      "that unpacks to half a gigabyte",
      "too_large_unpacked",
      async () =>
        rawPdf(onePage("", "/Contents 4 0 R", streamObject("/Filter /FlateDecode", await deflatedZeros(500)))),
    ],
    [
      "that is packed many times",
      "too_large_unpacked",
      () =>
        rawPdf(
          onePage(
            "",
            "/Contents 4 0 R",
            streamObject("/Filter [/FlateDecode /FlateDecode /FlateDecode]", Buffer.alloc(20)),
          ),
        ),
    ],
    [
      "with a picture of a billion pixels",
      "image_too_large",
      () =>
        rawPdf(
          onePage(
            "",
            "/Contents 4 0 R",
            streamObject(
              "/Type /XObject /Subtype /Image /Width 40000 /Height 40000 /BitsPerComponent 1 /ColorSpace /DeviceGray",
              Buffer.alloc(9),
            ),
          ),
        ),
    ],
    ...[" ".repeat(100), `%${"a".repeat(300)}\n`].map(
      (gap) =>
        [
          "that unpacks to half a gigabyte, behind a gap",
          "too_large_unpacked",
          async () => {
            const zeros = streamObject("/Filter /FlateDecode", await deflatedZeros(500));
            const [head, body] = [zeros.subarray(0, zeros.indexOf("stream")), zeros.subarray(zeros.indexOf("stream"))];
            return rawPdf(onePage("", "/Contents 4 0 R", Buffer.concat([head, Buffer.from(gap), body])));
          },
        ] as const,
    ),
    ...[
      "stream\n5 0 obj << >> endobj endstream",
      "stream\ntrailer << >> endstream",
      "stream\n<< >> stream\n endstream",
    ].map(
      (hidden) => ["with an object in a stream", "damaged", () => rawPdf([...onePage(), `<< >> ${hidden}`])] as const,
    ),
    ["with an object in a text", "damaged", () => rawPdf([...onePage(), "(5 0 obj)"])],
    ["with an object in an object", "damaged", () => rawPdf([...onePage(), "<< /A << >>"])],
    [
      "with a stream in a stream of objects",
      "damaged",
      () => rawPdf([...onePage(), streamObject("/N 1 /First 4", Buffer.from("5 0 <<>> stream\n"))]),
    ],
    [
      "with an object in another one in a stream of objects",
      "damaged",
      () => rawPdf([...onePage(), streamObject("/N 2 /First 8", Buffer.from("5 0 6 1 (<<>>)"))]),
    ],
    [
      "with a script of another number than it is found under",
      "active_content",
      () =>
        rawPdf([...onePage("/OpenAction 7 0 R"), streamObject("/N 1 /First 4", Buffer.from("5 0 << /S /Launch >>"))]),
    ],
    ["with an address elsewhere", "active_content", () => annotated("<< /S /URI /URI 1 0 R >>")],
    ["that is cut off", "damaged", async () => (await pdfWithZone(ZONE)).subarray(0, 400)],
    ["without a page", "damaged", () => rawPdf(["<< /Type /Catalog >>"])],
    [
      "that is noise",
      "damaged",
      () => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(5_000, 7), Buffer.from("\n%%EOF\n")]),
    ],
  ])("%s is refused", async (_, fault, make) => {
    expect(await reviewer.read(await make(), "application/pdf")).toStrictEqual(faulty(fault));
  });

  test.each<readonly [string, Buffer]>([
    [
      "whose pages are in themselves",
      rawPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]),
    ],
    [
      "that says it has a million pages",
      rawPdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
      ]),
    ],
    [
      "that is full of comments behind what looks like dictionaries",
      rawPdf([...onePage(), `(${">>\n%".repeat(500_000)})`]),
    ],
    [
      "that is full of words that may begin an object",
      rawPdf([...onePage(), `(${" ".repeat(500_000)}obj${"1".repeat(500_000)}obj${"\\n ".repeat(500_000)})`]),
    ],
    ["of a million values", rawPdf([...onePage(), `[${"/A ".repeat(1_000_000)}]`])],
    ["that is deep", rawPdf([...onePage(), "[".repeat(1_000_000)])],
    ["with a page of a million points", rawPdf(onePage("", "/MediaBox [0 0 14400000 14400000]"))],
    ["with a page of no size", rawPdf(onePage("", "/MediaBox [0 0 0 0]"))],
    [
      "whose drawing never ends",
      rawPdf(
        onePage(
          "",
          "/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>",
          streamObject("", Buffer.from("/X Do")),
          streamObject(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>",
            Buffer.from("/X Do /X Do"),
          ),
        ),
      ),
    ],
  ])("%s comes to an end", async (_, content) => {
    const { outcome } = await reviewer.read(content, "application/pdf");
    expect(["faulty", "unreadable"]).toContain(outcome);
  });
});

/** A picture that has something to draw up to its last byte. */
function noisyJpeg(): Promise<Buffer> {
  return sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: "white",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
}

/** A PNG that claims this size, and holds almost nothing. */
async function pngBomb(width: number, height: number): Promise<Buffer> {
  const png = await blankImage(8, 8).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

describe("a picture", () => {
  const png = () => blankImage().png().toBuffer();
  const jpeg = () => blankImage().jpeg().toBuffer();
  const withComment = (content: Buffer, comment: string) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(comment.length + 2);
    return Buffer.concat([
      content.subarray(0, 2),
      Buffer.from([0xff, 0xfe]),
      length,
      Buffer.from(comment),
      content.subarray(2),
    ]);
  };
  test.each<readonly [string, "image/png" | "image/jpeg", string, () => Promise<Buffer>]>([
    ["of more pixels than it has bytes for", "image/png", "image_too_large", () => pngBomb(60_000, 60_000)],
    ["whose check sums are wrong", "image/png", "damaged", () => pngBomb(100, 100)],
    ["of really so many pixels", "image/png", "image_too_large", () => blankImage(10_000, 9_000).png().toBuffer()],
    [
      "with HTML behind it",
      "image/png",
      "mixed_formats",
      async () => Buffer.concat([await png(), Buffer.from("<html><script>alert(1)</script>")]),
    ],
    [
      "with an archive behind it",
      "image/png",
      "mixed_formats",
      async () => Buffer.concat([await png(), Buffer.from("Rar!\u001a\u0007\u0001\u0000"), Buffer.alloc(9_000, "x")]),
    ],
    ["with a ZIP file behind it", "image/png", "mixed_formats", async () => Buffer.concat([await png(), ZIP_END])],
    ["with a ZIP file behind it", "image/jpeg", "mixed_formats", async () => Buffer.concat([await jpeg(), ZIP_END])],
    [
      "that is a PDF as well",
      "image/jpeg",
      "mixed_formats",
      async () => withComment(await jpeg(), "%PDF-1.4 and so on"),
    ],
    [
      "that is a script as well",
      "image/jpeg",
      "mixed_formats",
      async () => withComment(await jpeg(), "<?php system(1); ?>"),
    ],
    ["that is cut off", "image/png", "damaged", async () => (await png()).subarray(0, -20)],
    ["that is cut off", "image/jpeg", "damaged", async () => (await jpeg()).subarray(0, 200)],
    ["that lacks a few bytes", "image/jpeg", "damaged", async () => (await noisyJpeg()).subarray(0, -100)],
    [
      "that is noise",
      "image/jpeg",
      "damaged",
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(500, 9)]),
    ],
    ["that is no more than its signature", "image/png", "damaged", async () => (await png()).subarray(0, 8)],
  ])("%s (%s) is refused: %s", async (_, contentType, fault, make) => {
    expect(await reviewer.read(await make(), contentType)).toStrictEqual(faulty(fault));
  });

  test.each<readonly [string, "image/png" | "image/jpeg", () => Promise<Buffer>]>([
    ["with a line end behind it", "image/png", async () => Buffer.concat([await png(), Buffer.from("\n")])],
    ["with padding behind it", "image/png", async () => Buffer.concat([await png(), Buffer.alloc(5_000)])],
    ["with a second picture behind it", "image/png", async () => Buffer.concat([await png(), await png()])],
    ["with padding behind it", "image/jpeg", async () => Buffer.concat([await jpeg(), Buffer.alloc(512)])],
    ["without its end marker", "image/jpeg", async () => (await jpeg()).subarray(0, -2)],
  ])("%s (%s) is read", async (_, contentType, make) => {
    expect(await reviewer.read(await make(), contentType)).toStrictEqual({ outcome: "unreadable", documentCode: null });
  });

  test("of a single pixel is read, and there is nothing in it", async () => {
    const content = await blankImage(1, 1).png().toBuffer();
    expect(await reviewer.read(content, "image/png")).toStrictEqual({ outcome: "unreadable", documentCode: null });
  });
});

test("after all of this the reviewer still reads", async () => {
  expect(await reviewer.read(await pdfWithZone(ZONE), "application/pdf")).toMatchObject({ outcome: "read" });
});
