import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import sharp, { type FailOnOptions, type Metadata } from "sharp";
import { FaultyFile, isPolyglotFile } from "./faulty-file.ts";
import { decodeGreyImage } from "./scan/grey-image.ts";
import type { CpuBudget, OcrEngine } from "./scan/ocr-engine.ts";
import { MAX_SIDE_PIXELS, readScan } from "./scan/read-scan.ts";

/** An A4 page at 600 dots per inch has 35 million pixels. */
export const MAX_PIXELS = 80_000_000;
/** A zone in a smaller picture is illegible. */
const SHORTEST_SIDE = 32;

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });

const INPUT = { limitInputPixels: MAX_PIXELS, sequentialRead: true } as const;

export type ImageType = Exclude<DocumentContentType, "application/pdf">;

/** @throws FaultyFile */
export async function readImage(
  content: Buffer,
  contentType: ImageType,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<DocumentReading> {
  const picture = await scaledImage(content, contentType, MAX_SIDE_PIXELS, "grey");
  return readScan(await decodeGreyImage(picture), ocr, budget);
}

/** The picture as PNG, upright by the camera's orientation, with at most this many pixels. @throws FaultyFile */
export async function scaledImage(
  content: Buffer,
  contentType: ImageType,
  mostPixels: number,
  colours: "grey" | "all",
): Promise<Buffer> {
  if (isPolyglotFile(content)) throw new FaultyFile("mixed_formats");
  let metadata: Metadata;
  try {
    metadata = await sharp(content, { ...INPUT, limitInputPixels: false }).metadata();
  } catch {
    throw new FaultyFile("damaged");
  }
  const { width, height } = metadata;
  if (width * height > MAX_PIXELS) throw new FaultyFile("image_too_large");
  const scaled = (file: Buffer, failOn: FailOnOptions) =>
    sharp(file, { ...INPUT, failOn })
      .resize({ width: mostPixels, height: mostPixels, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .greyscale(colours === "grey")
      .keepExif()
      .png()
      .toBuffer();
  try {
    const small = await scaled(content, "error").catch((error: unknown) => {
      if (contentType !== "image/jpeg") throw error;
      // Some cameras omit the end marker. With it added, any other missing part causes a warning.
      return scaled(Buffer.concat([content, END_OF_JPEG]), "warning");
    });
    const upright = sharp(small).autoOrient();
    const padded =
      Math.min(width, height) < SHORTEST_SIDE
        ? upright.extend({ bottom: SHORTEST_SIDE, right: SHORTEST_SIDE, background: "white" })
        : upright;
    return await padded.png().toBuffer();
  } catch {
    throw new FaultyFile("damaged");
  }
}
