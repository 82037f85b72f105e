import bwipjs from "bwip-js/node";

/** Level of error correction, for paper that was folded (ISO/IEC 15438, annex E). */
const PDF417_LEVEL = 5;
const PDF417_COLUMNS = 10;
/** In widths of the narrowest bar. */
const PDF417_ROW_HEIGHT = 3;

export function pdf417Svg(message: string): string {
  // The library's types lack the options of this symbology.
  const shape = { columns: PDF417_COLUMNS, eclevel: PDF417_LEVEL, rowmult: PDF417_ROW_HEIGHT };
  return bwipjs.toSVG({ bcid: "pdf417", text: message, scale: 1, ...shape });
}

export function aztecSvg(message: string): string {
  return bwipjs.toSVG({ bcid: "azteccode", text: message, scale: 1 });
}

const AZTEC_SCALE = 6;
const AZTEC_PADDING = 6;

/** @param caption a line below the barcode; A to Z, digits and punctuation only. */
export function aztecPng(message: string, caption: string): Promise<Buffer> {
  return bwipjs.toBuffer({
    bcid: "azteccode",
    text: message,
    scale: AZTEC_SCALE,
    padding: AZTEC_PADDING,
    backgroundcolor: "FFFFFF",
    includetext: true,
    alttext: caption,
    textsize: 6,
    textyoffset: -8,
  });
}
