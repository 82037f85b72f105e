import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

const FOLDER = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
/** Points are 72 to the inch: about 300 dots. */
const SCALE = 4;

export interface PdfPage {
  /** Millimetres, rounded. */
  readonly width: number;
  readonly height: number;
  /** Everything written on it. */
  readonly text: string;
  /** A picture of it, as PNG. */
  readonly image: Uint8Array;
}

/** Where the library draws when there is no browser. */
interface CanvasFactory {
  create(
    width: number,
    height: number,
  ): { readonly canvas: { toBuffer(type: "image/png"): Uint8Array }; readonly context: unknown };
}

/** A PDF as somebody sees it. */
export async function pagesOf(pdf: Uint8Array): Promise<readonly PdfPage[]> {
  const loading = getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: join(FOLDER, "standard_fonts/"),
    verbosity: 0,
  });
  const document = await loading.promise;
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: SCALE });
    const factory = document.canvasFactory as CanvasFactory;
    const { canvas, context } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
    await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise;
    const { items } = await page.getTextContent();
    const millimetres = (dots: number) => Math.round((dots / SCALE / 72) * 25.4);
    pages.push({
      width: millimetres(viewport.width),
      height: millimetres(viewport.height),
      text: items.map((item) => ("str" in item ? item.str : "")).join(" "),
      image: canvas.toBuffer("image/png"),
    });
  }
  await loading.destroy();
  return pages;
}
