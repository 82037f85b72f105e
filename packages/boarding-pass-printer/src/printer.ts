import type { BoardingPassesBody } from "@travel-booking/api-contract";
import type { PdfRenderer } from "./browser/pdf-renderer.ts";
import { PAGE_HEIGHT, PAGE_WIDTH } from "./page/page-size.ts";
import { renderPassesHtml } from "./page/render-passes-html.ts";
import { renderPassesPng } from "./render-passes-png.ts";

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
