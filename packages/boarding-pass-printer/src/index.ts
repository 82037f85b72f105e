export { clearBrowserFolder } from "./browser-folder.ts";
export { BoardingPassPrinter, type Drawing } from "./printer.ts";
export { lackOfSandbox } from "./sandbox.ts";
export { type PrinterOptions, startPrinter } from "./start-printer.ts";
