import type { BoardingPassesBody } from "@travel-booking/api-contract";
import type { PdfRenderer } from "./pdf-renderer.ts";

export interface BoardingPassPrinter {
  /**
   * One page per pass.
   * @throws NoBrowser
   * @throws PrinterBusy
   */
  pdf(passes: BoardingPassesBody): Promise<Uint8Array>;
  /** The barcodes alone, one below the other. Needs no browser. */
  png(passes: BoardingPassesBody): Promise<Uint8Array>;
}

/** The libraries for fonts, barcodes and pictures are loaded with the first pass. */
export function boardingPassPrinter(browser: Pick<PdfRenderer, "pdf">): BoardingPassPrinter {
  return {
    async pdf(passes) {
      const [{ renderPassesHtml }, { PAPER }] = await Promise.all([import("./page.ts"), import("./page-style.ts")]);
      return browser.pdf(renderPassesHtml(passes), PAPER);
    },
    async png(passes) {
      const { renderPassesPng } = await import("./render-png.ts");
      return renderPassesPng(passes);
    },
  };
}
