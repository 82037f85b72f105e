export { PrinterBusy } from "./concurrency-limiter.ts";
export { findBrowser, NoBrowser } from "./find-browser.ts";
export { PageRenderer, type PageRendererOptions, PageTimeout } from "./page-renderer.ts";
export { type BoardingPassPrinter, boardingPassPrinter } from "./printer.ts";
