import sharp, { type Sharp } from "sharp";

/** A one-channel picture: 0 is black, 255 is white; row by row from the top, without padding. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** @param picture a file that sharp reads; the caller has bounded its size. */
export async function decodeGreyImage(picture: Buffer): Promise<GreyImage> {
  return await pixelsOf(sharp(picture));
}

/** Scales width and height by the factor. */
export async function resized(picture: GreyImage, factor: number): Promise<GreyImage> {
  if (factor === 1) return picture;
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  return await pixelsOf(asSharp(picture).resize({ width, height, fit: "fill" }));
}

/** @param degrees clockwise, a multiple of 90. */
export async function rotated(picture: GreyImage, degrees: number): Promise<GreyImage> {
  return degrees === 0 ? picture : await pixelsOf(asSharp(picture).rotate(degrees));
}

/**
 * Stretches the contrast from black to white.
 * @param mostBlack percent of the pixels that become black. A value above the share of ink darkens pale areas.
 */
export async function normalised(picture: GreyImage, mostBlack: number): Promise<GreyImage> {
  return await pixelsOf(asSharp(picture).normalise({ lower: mostBlack, upper: 99 }));
}

export async function asPng(picture: GreyImage): Promise<Buffer> {
  // The next step reads the picture only once, so better compression would only cost time.
  return await asSharp(picture).png({ compressionLevel: 1 }).toBuffer();
}

function asSharp({ width, height, pixels }: GreyImage): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

async function pixelsOf(picture: Sharp): Promise<GreyImage> {
  const { data, info } = await picture.toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: firstChannel(data, info.channels) };
}

function firstChannel(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return data;
  const first = new Uint8Array(data.length / channels);
  for (let index = 0; index < first.length; index += 1) first[index] = data[index * channels] ?? 0;
  return first;
}
