import bwipjs from "bwip-js/node";

/** Levels of error correction a scanner copes well with on paper that was folded (ISO/IEC 15438, annex E). */
const PDF417_LEVEL = 5;
const PDF417_COLUMNS = 8;
/** In widths of the narrowest bar. */
const PDF417_ROW_HEIGHT = 4;

/** The message as PDF417, as an SVG that scales to any size. */
export function pdf417Svg(message: string): string {
  // The options of the symbology itself are not in the library's types.
  const shape = { columns: PDF417_COLUMNS, eclevel: PDF417_LEVEL, rowmult: PDF417_ROW_HEIGHT };
  return bwipjs.toSVG({ bcid: "pdf417", text: message, scale: 1, ...shape });
}

const SCALE = 6;
const AZTEC_PADDING = 6;

/** The message as Aztec in a PNG, with a line in A to Z and digits below it. */
export function aztecPng(message: string, caption: string): Promise<Buffer> {
  return bwipjs.toBuffer({
    bcid: "azteccode",
    text: message,
    scale: SCALE,
    padding: AZTEC_PADDING,
    backgroundcolor: "FFFFFF",
    includetext: true,
    alttext: caption,
    textsize: 6,
    textyoffset: -8,
  });
}
