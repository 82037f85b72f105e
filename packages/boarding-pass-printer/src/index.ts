export * from "./browser/errors.ts";
export { findBrowser } from "./browser/find-browser.ts";
export { PdfRenderer, type PdfRendererOptions } from "./browser/pdf-renderer.ts";
export { type BoardingPassPrinter, boardingPassPrinter } from "./printer.ts";
