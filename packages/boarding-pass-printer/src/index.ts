export { findBrowser } from "./browser/find-browser.ts";
export { PageBrowser, type PageBrowserOptions } from "./browser/page-browser.ts";
export * from "./browser/problems.ts";
export { type BoardingPassPrinter, boardingPassPrinter } from "./printer.ts";
