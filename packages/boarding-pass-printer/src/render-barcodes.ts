import type { BoardingPassBody, BoardingPassesBody } from "@travel-booking/api-contract";
import { boardingItemsOf } from "@travel-booking/domain/boarding-pass";
import sharp from "sharp";
import { aztecPng } from "./barcodes.ts";

/** Wide enough that a scanner held over one barcode does not see two. */
const GAP_PIXELS = 96;
const WHITE = { r: 255, g: 255, b: 255 };

/** In letters that the barcode library's font has. */
function captionOf({ barcode, seat }: BoardingPassBody): string {
  return `${boardingItemsOf(barcode.message).name.replace("/", " / ")}   ${seat}`;
}

/** The barcodes, centred one below the other. */
export async function renderBarcodesPng({ passes }: BoardingPassesBody): Promise<Uint8Array> {
  const images = await Promise.all(
    passes.map(async (pass) => {
      const input = await aztecPng(pass.barcode.message, captionOf(pass));
      const { width, height } = await sharp(input).metadata();
      return { input, width, height };
    }),
  );
  const width = Math.max(...images.map((image) => image.width));
  let height = -GAP_PIXELS;
  const layers = images.map((image) => {
    const top = height + GAP_PIXELS;
    height = top + image.height;
    return { input: image.input, top, left: Math.floor((width - image.width) / 2) };
  });
  return sharp({ create: { width, height, channels: 3, background: WHITE } })
    .composite(layers)
    .png()
    .toBuffer();
}
