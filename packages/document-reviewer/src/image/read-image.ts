import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import sharp, { type Metadata } from "sharp";
import { FaultyFile } from "../faulty-file.ts";
import { isOfTwoFormats } from "../mixed-formats.ts";
import type { Eyes } from "../scan/eyes.ts";
import type { Patience } from "../scan/patience.ts";
import { LONGEST_SIDE, readScan } from "../scan/read-scan.ts";
import { endOfPng } from "./png-end.ts";

/** An A4 page at 600 dots per inch has 35 million. */
export const MOST_PIXELS = 80_000_000;
/** Smaller than this no zone can be made out. */
const SHORTEST_SIDE = 32;

/** Clockwise, by the orientation a camera records (EXIF). */
const TURNS: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });

/** @throws FaultyFile */
export async function readImage(
  content: Buffer,
  contentType: Exclude<DocumentContentType, "application/pdf">,
  eyes: Eyes,
  patience: Patience,
): Promise<DocumentReading> {
  const end = contentType === "image/png" ? endOfPng(content) : content.length;
  if (end === undefined) throw new FaultyFile("damaged");
  if (end < content.length || isOfTwoFormats(content)) throw new FaultyFile("mixed_formats");
  return readScan(await readable(content), eyes, patience);
}

/** Grey, upright as it was taken, and of a bounded size. */
async function readable(content: Buffer): Promise<Buffer> {
  const input = { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true } as const;
  let metadata: Metadata;
  try {
    metadata = await sharp(content, { ...input, limitInputPixels: false }).metadata();
  } catch {
    throw new FaultyFile("damaged");
  }
  const { width, height, orientation = 1 } = metadata;
  if (width * height > MOST_PIXELS) throw new FaultyFile("image_too_large");
  try {
    const small = sharp(content, input)
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .greyscale();
    const grey = await small.png().toBuffer();
    const upright = sharp(grey).rotate(TURNS[orientation] ?? 0);
    const padded =
      Math.min(width, height) < SHORTEST_SIDE
        ? upright.extend({ bottom: SHORTEST_SIDE, right: SHORTEST_SIDE, background: "white" })
        : upright;
    return await padded.png().toBuffer();
  } catch {
    throw new FaultyFile("damaged");
  }
}
