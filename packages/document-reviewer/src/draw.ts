import sharp, { type Sharp } from "sharp";
import { OpenPdf } from "./open-pdf.ts";
import { type ImageType, scaledImage } from "./read-image.ts";

/** Enough to read a zone by eye. */
const LONGER_SIDE_PIXELS = 1_600;
const GAP_PIXELS = 8;

/** A picture redrawn as JPEG, so that nothing else of the file remains. @throws FaultyFile */
export async function drawImage(content: Buffer, contentType: ImageType): Promise<Buffer> {
  return asJpeg(sharp(await scaledImage(content, contentType, LONGER_SIDE_PIXELS, "all")));
}

/** A PDF redrawn in the same way, its pages below each other. @throws FaultyFile */
export async function drawPdf(content: Buffer): Promise<Buffer> {
  const pdf = await OpenPdf.open(content);
  try {
    const pages: Buffer[] = [];
    for (let page = 1; page <= pdf.pages; page += 1) pages.push(await pdf.renderPage(page, LONGER_SIDE_PIXELS));
    const [first, ...others] = pages;
    const join = { across: 1, shim: GAP_PIXELS, background: "grey", halign: "centre" } as const;
    return await asJpeg(others.length === 0 ? sharp(first) : sharp(pages, { join }));
  } finally {
    await pdf.close();
  }
}

async function asJpeg(picture: Sharp): Promise<Buffer> {
  return picture.flatten({ background: "white" }).jpeg({ quality: 80 }).toBuffer();
}
