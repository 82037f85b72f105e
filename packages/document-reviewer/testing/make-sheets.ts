import { PDFDocument, type PDFPage, rgb, StandardFonts } from "pdf-lib";
import sharp from "sharp";
import { OpenPdf } from "../src/open-pdf.ts";
import { MAX_SIDE_PIXELS } from "../src/scan/read-scan.ts";

const POINTS_PER_MM = 72 / 25.4;
const MM_PER_INCH = 25.4;
/** Distance from one letter to the next, as a fraction of Courier's size. */
const COURIER_PITCH = 0.6;

/** Millimetres. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const A4: Size = { width: 210, height: 297 };
/** The page of a passport with its zone (ICAO 9303-4). */
export const PASSPORT_PAGE: Size = { width: 125, height: 88 };
/** An identity card (ICAO 9303-5). */
export const CARD: Size = { width: 85.6, height: 54 };

export interface PrintedPage {
  readonly size: Size;
  readonly zone: readonly string[];
  /** Guilloches behind everything. */
  readonly hasPattern?: boolean;
}

/** A printed document: its zone in the size of the standard, and other print above it. */
export async function printPdf({ size, zone, hasPattern = false }: PrintedPage): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const mm = (length: number) => length * POINTS_PER_MM;
  const page = pdf.addPage([mm(size.width), mm(size.height)]);
  if (hasPattern) drawPattern(page);
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const fixed = await pdf.embedFont(StandardFonts.CourierBold);
  page.drawRectangle({
    x: mm(5),
    y: mm(size.height * 0.45),
    width: mm(size.width * 0.2),
    height: mm(size.height * 0.4),
    color: rgb(0.45, 0.4, 0.4),
  });
  const values = ["UTOPIA", "LOVELACE", "ADA KING", "UTOPIAN", "12 AUG 1974", "01 JAN 2036"];
  for (const [index, value] of values.entries()) {
    const y = mm(size.height * (0.9 - 0.09 * index));
    const x = mm(size.width * 0.3);
    page.drawText("Name / Nom / Nationality / Date", { x, y: y + 6, size: 3.5, font: plain });
    page.drawText(value, { x, y, size: 7, font: plain });
  }
  // ICAO 9303-3: ten letters an inch, and slightly less than six lines.
  const letter = MM_PER_INCH / 10;
  for (const [index, line] of zone.entries()) {
    page.drawText(line, {
      x: mm((size.width - letter * line.length) / 2),
      y: mm(6 + 6 * (zone.length - 1 - index)),
      size: mm(letter) / COURIER_PITCH,
      font: fixed,
    });
  }
  return Buffer.from(await pdf.save());
}

/** Waves in pale colours, which documents have against copying. */
function drawPattern(page: PDFPage): void {
  const { width, height } = page.getSize();
  page.drawRectangle({ x: 0, y: 0, width, height, color: rgb(0.93, 0.95, 0.9) });
  for (let line = 0; line * 3 < height + 40; line += 1) {
    const waves = Array.from({ length: 24 }, (_, index) => {
      const [x, up] = [(width / 24) * index, index % 2 === 0 ? 9 : -9];
      return `C ${x + width / 72} ${line * 3 - up} ${x + width / 36} ${line * 3 - up} ${x + width / 24} ${line * 3}`;
    });
    const colour = line % 2 === 0 ? rgb(0.72, 0.8, 0.88) : rgb(0.88, 0.76, 0.74);
    page.drawSvgPath(`M 0 ${line * 3} ${waves.join(" ")}`, {
      x: 0,
      y: height + 20,
      borderColor: colour,
      borderWidth: 0.6,
    });
  }
}

export interface ScanOptions {
  /** The sheet, or the scanner's glass. */
  readonly sheet: Size;
  /** Millimetres from the left and upper edge of the sheet to the middle of the document. */
  readonly at: { readonly x: number; readonly y: number };
  readonly dotsPerInch: number;
  /** Degrees clockwise, skew included. */
  readonly turn: number;
  /** Of 255: about how much each dot may be off, in either direction. */
  readonly noise?: number;
}

/** A document laid on a scanner: a grey PNG. */
export async function scanDocument(
  document: Buffer,
  { sheet, at, dotsPerInch, turn, noise = 4 }: ScanOptions,
): Promise<Buffer> {
  const dots = (mm: number) => Math.round((mm / MM_PER_INCH) * dotsPerInch);
  const pdf = await OpenPdf.open(document);
  const page = await pdf.renderPage(1, MAX_SIDE_PIXELS).finally(() => pdf.close());
  const pixels = await sharp(page).metadata();
  const points = (await PDFDocument.load(document)).getPage(0).getSize();
  const scale = dots(points.width / POINTS_PER_MM) / pixels.width;
  const turned = await sharp(page).rotate(turn, { background: "white" }).toBuffer({ resolveWithObject: true });
  const small = await sharp(turned.data)
    .resize({ width: Math.round(turned.info.width * scale) })
    .toBuffer({ resolveWithObject: true });
  const [width, height] = [dots(sheet.width), dots(sheet.height)];
  const { data } = await sharp({ create: { width, height, channels: 3, background: "#fafafa" } })
    .composite([
      {
        input: small.data,
        left: dots(at.x) - (small.info.width >> 1),
        top: dots(at.y) - (small.info.height >> 1),
      },
    ])
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  addNoise(data, noise);
  return await sharp(data, { raw: { width, height, channels: (data.length / width / height) as 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A PDF of an A4 page with a picture of this width, this far from the left and the upper edge, in mm. */
export async function pdfWithMargin(picture: Buffer, width: number, margin: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const image = await pdf.embedPng(picture);
  const page = pdf.addPage([A4.width * POINTS_PER_MM, A4.height * POINTS_PER_MM]);
  const size = { width: width * POINTS_PER_MM, height: (image.height / image.width) * width * POINTS_PER_MM };
  page.drawImage(image, {
    ...size,
    x: margin * POINTS_PER_MM,
    y: page.getHeight() - margin * POINTS_PER_MM - size.height,
  });
  return Buffer.from(await pdf.save());
}

/** Always the same for a picture, so that tests are repeatable (a generator of Marsaglia's, "Xorshift RNGs"). */
function addNoise(pixels: Uint8Array, most: number): void {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  let state = 1;
  for (let index = 0; index < pixels.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    clamped[index] = (clamped[index] as number) + (state / 2 ** 31) * most;
  }
}
