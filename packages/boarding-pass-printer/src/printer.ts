import type { BoardingPassesBody } from "@travel-booking/api-contract";
import type { PageBrowser } from "./browser/page-browser.ts";
import { PAGE_HEIGHT, PAGE_WIDTH } from "./page/measures.ts";
import { pageOfPasses } from "./page/page-of-passes.ts";
import { pngOfPasses } from "./png-of-passes.ts";

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

export function boardingPassPrinter(browser: Pick<PageBrowser, "pdf">): BoardingPassPrinter {
  return {
    pdf: (passes) => browser.pdf(pageOfPasses(passes), { width: PAGE_WIDTH, height: PAGE_HEIGHT }),
    png: pngOfPasses,
  };
}
