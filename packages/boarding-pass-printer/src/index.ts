export * from "./concurrency-limiter.ts";
export { findBrowser } from "./find-browser.ts";
export { PdfRenderer, type PdfRendererOptions } from "./pdf-renderer.ts";
export { type BoardingPassPrinter, boardingPassPrinter } from "./printer.ts";
