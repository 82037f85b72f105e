import { PDFDocument, StandardFonts } from "pdf-lib";
import sharp, { type Sharp } from "sharp";
import { OpenPdf } from "../src/open-pdf.ts";
import { MAX_SIDE_PIXELS } from "../src/scan/read-scan.ts";

/** A page like a passport's, with these lines as text at its foot. */
export async function pdfWithZone(lines: readonly string[], pages = 1): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const fixed = await pdf.embedFont(StandardFonts.Courier);
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  for (let number = 0; number < pages; number += 1) {
    const page = pdf.addPage([500, 350]);
    page.drawText("PASSPORT", { x: 40, y: 300, size: 20, font: plain });
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x: 20, y: 25 + 25 * (lines.length - 1 - index), size: 17, font: fixed });
    }
  }
  return Buffer.from(await pdf.save());
}

/** Such a page as a scan. */
export async function imageOfZone(lines: readonly string[], turn = 0): Promise<Sharp> {
  const pdf = await OpenPdf.open(await pdfWithZone(lines));
  try {
    return sharp(
      await sharp(await pdf.renderPage(1, MAX_SIDE_PIXELS))
        .rotate(turn)
        .toBuffer(),
    );
  } finally {
    await pdf.close();
  }
}

/** A PDF of a page that is a picture and has no text. */
export async function scannedPdf(picture: Buffer): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const image = await pdf.embedPng(picture);
  const page = pdf.addPage([image.width / 3, image.height / 3]);
  page.drawImage(image, { x: 0, y: 0, width: page.getWidth(), height: page.getHeight() });
  return Buffer.from(await pdf.save());
}

/** A small empty picture. */
export function blankImage(width = 64, height = 64): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "white" } });
}
