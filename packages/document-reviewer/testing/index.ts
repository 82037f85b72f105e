export * from "./make-files.ts";
export * from "./make-sheets.ts";
export * from "./make-zone.ts";
export * from "./new-reviewer.ts";
export * from "./raw-pdf.ts";
