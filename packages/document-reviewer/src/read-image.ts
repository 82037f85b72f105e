import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import sharp, { type Metadata } from "sharp";
import { FaultyFile, isPolyglotFile } from "./faulty-file.ts";
import type { CpuBudget, OcrEngine } from "./scan/ocr-engine.ts";
import { MAX_SIDE_PIXELS, readScan } from "./scan/read-scan.ts";

/** An A4 page at 600 dots per inch has 35 million. */
export const MAX_PIXELS = 80_000_000;
/** A zone in a smaller picture is illegible. */
const SHORTEST_SIDE = 32;

/** Degrees clockwise, by the orientation a camera records (EXIF). */
const ROTATION_BY_ORIENTATION: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });

const INPUT = { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true } as const;

export type ImageType = Exclude<DocumentContentType, "application/pdf">;

/** @throws FaultyFile */
export async function readImage(
  content: Buffer,
  contentType: ImageType,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<DocumentReading> {
  return readScan(await scaledImage(content, contentType, MAX_SIDE_PIXELS, "grey"), ocr, budget);
}

/** Upright by the camera's orientation, at most so large, as PNG. @throws FaultyFile */
export async function scaledImage(
  content: Buffer,
  contentType: ImageType,
  mostPixels: number,
  colours: "grey" | "all",
): Promise<Buffer> {
  const end = contentType === "image/png" ? endOfPng(content) : content.length;
  if (end === undefined) throw new FaultyFile("damaged");
  if (end < content.length || isPolyglotFile(content)) throw new FaultyFile("mixed_formats");
  let metadata: Metadata;
  try {
    metadata = await sharp(content, { ...INPUT, limitInputPixels: false }).metadata();
  } catch {
    throw new FaultyFile("damaged");
  }
  const { width, height, orientation = 1 } = metadata;
  if (width * height > MAX_PIXELS) throw new FaultyFile("image_too_large");
  try {
    const small = sharp(content, INPUT)
      .resize({ width: mostPixels, height: mostPixels, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .greyscale(colours === "grey");
    const upright = sharp(await small.png().toBuffer()).rotate(ROTATION_BY_ORIENTATION[orientation] ?? 0);
    const padded =
      Math.min(width, height) < SHORTEST_SIDE
        ? upright.extend({ bottom: SHORTEST_SIDE, right: SHORTEST_SIDE, background: "white" })
        : upright;
    return await padded.png().toBuffer();
  } catch {
    throw new FaultyFile("damaged");
  }
}

const SIGNATURE_LENGTH = 8;
/** Bytes of a chunk around its data: length and name before, checksum after. */
const AROUND_DATA = 12;

/** The end of a PNG, by its own chunks (PNG specification, section 5); undefined where they have no end. */
function endOfPng(content: Buffer): number | undefined {
  let at = SIGNATURE_LENGTH;
  while (at + AROUND_DATA <= content.length) {
    const name = content.toString("latin1", at + 4, at + 8);
    at += AROUND_DATA + content.readUInt32BE(at);
    if (name === "IEND") return at <= content.length ? at : undefined;
  }
  return undefined;
}
