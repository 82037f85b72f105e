export { PrinterBusy } from "./concurrency-limiter.ts";
export { findBrowser, NoBrowser } from "./find-browser.ts";
export { PageTimeout, PdfRenderer, type PdfRendererOptions } from "./pdf-renderer.ts";
export { type BoardingPassPrinter, boardingPassPrinter } from "./printer.ts";
