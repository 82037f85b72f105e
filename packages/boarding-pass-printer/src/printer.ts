import type { BoardingPassBody, BoardingPassesBody } from "@travel-booking/api-contract";
import { passengerNameOf } from "@travel-booking/domain";
import sharp from "sharp";
import { aztecPng } from "./barcodes.ts";
import { renderPassesHtml } from "./page.ts";
import { PAGE_HEIGHT, PAGE_WIDTH } from "./page-style.ts";
import type { PdfRenderer } from "./pdf-renderer.ts";

/** Draws boarding passes. */
export interface BoardingPassPrinter {
  /**
   * One page per pass.
   * @throws NoBrowser there is no browser to draw it.
   * @throws PrinterBusy too many others wait for theirs.
   */
  pdf(passes: BoardingPassesBody): Promise<Uint8Array>;
  /** The barcodes alone, one below the other. Needs no browser. */
  png(passes: BoardingPassesBody): Promise<Uint8Array>;
}

export function boardingPassPrinter(browser: Pick<PdfRenderer, "pdf">): BoardingPassPrinter {
  return {
    pdf: (passes) => browser.pdf(renderPassesHtml(passes), { width: PAGE_WIDTH, height: PAGE_HEIGHT }),
    png: renderPassesPng,
  };
}

/** Pixels between one pass and the next: wide enough that a scanner held over one does not see two. */
const GAP_PIXELS = 96;
const LONGEST_NAME = 20;
const WHITE = { r: 255, g: 255, b: 255 };

/** Whose it is, in letters that need no font of the machine's. */
function captionOf({ passengerName, seat }: BoardingPassBody): string {
  return `${passengerNameOf(passengerName, LONGEST_NAME).replace("/", " / ")}   ${seat}`;
}

/** A barcode per pass, one below the other, each with name and seat under it. */
async function renderPassesPng({ passes }: BoardingPassesBody): Promise<Uint8Array> {
  const images = await Promise.all(passes.map((pass) => aztecPng(pass.barcode.message, captionOf(pass))));
  const sizes = await Promise.all(
    images.map(async (image) => {
      const { width, height } = await sharp(image).metadata();
      return { width, height };
    }),
  );
  const width = Math.max(...sizes.map((size) => size.width));
  let height = 0;
  const placed = images.map((input, index) => {
    const { width: own = 0, height: down = 0 } = sizes[index] ?? {};
    const top = height === 0 ? 0 : height + GAP_PIXELS;
    height = top + down;
    return { input, top, left: Math.floor((width - own) / 2) };
  });
  return sharp({ create: { width, height, channels: 3, background: WHITE } })
    .composite(placed)
    .png()
    .toBuffer();
}
