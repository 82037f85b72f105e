import type { BoardingPassesBody } from "@travel-booking/api-contract";
import { NoBrowser } from "./find-browser.ts";
import type { PageRenderer } from "./page-renderer.ts";

export interface BoardingPassPrinter {
  /**
   * One page per pass.
   * @throws NoBrowser
   * @throws PrinterBusy
   */
  pdf(passes: BoardingPassesBody): Promise<Uint8Array>;
  /**
   * The passes for a phone, one below the other; where there is no browser, their barcodes alone.
   * @throws PrinterBusy
   */
  png(passes: BoardingPassesBody): Promise<Uint8Array>;
}

/** The libraries for fonts, barcodes and pictures are loaded with the first pass. */
export function boardingPassPrinter(browser: Pick<PageRenderer, "pdf" | "png">): BoardingPassPrinter {
  return {
    async pdf(passes) {
      const { PAPER, renderPassesHtml } = await import("./page.ts");
      return browser.pdf(renderPassesHtml(passes, "paper"), PAPER);
    },
    async png(passes) {
      const { PHONE_WIDTH, renderPassesHtml } = await import("./page.ts");
      try {
        return await browser.png(renderPassesHtml(passes, "phone"), PHONE_WIDTH);
      } catch (error) {
        if (!(error instanceof NoBrowser)) throw error;
        const { renderBarcodesPng } = await import("./render-barcodes.ts");
        return renderBarcodesPng(passes);
      }
    },
  };
}
