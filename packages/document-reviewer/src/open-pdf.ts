import { createRequire } from "node:module";
import path from "node:path";
import {
  getDocument,
  OPS,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  Util,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { FaultyFile } from "./faulty-file.ts";
import { inspectPdf } from "./inspect-pdf.ts";
import { MAX_PIXELS } from "./read-image.ts";
import type { GreyImage } from "./scan/grey-image.ts";

const require = createRequire(import.meta.url);
const ROOT = path.dirname(require.resolve("pdfjs-dist/package.json"));
const folder = (name: string) => `${path.join(ROOT, name)}/`;

/** Room for a passport's cover, the page with the zone, and other pages in the same scan. */
const MOST_PAGES = 20;
/** Maximum distance in points between texts of one line. */
const SAME_LINE = 3;
const MOST_ITEMS = 20_000;

/** A text with its place on the page as shown, in points from the upper left corner. */
interface PlacedText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Size of the font. */
  readonly size: number;
}

/** A line of text. */
export interface PdfLine extends PlacedText {
  readonly page: number;
}

/** Operators that draw text, including those of fonts made of drawings. */
const DRAWS_TEXT: ReadonlySet<number> = new Set([
  OPS.showText,
  OPS.showSpacedText,
  OPS.nextLineShowText,
  OPS.nextLineSetSpacingShowText,
]);

/** An open PDF. It runs no scripts and fetches nothing. */
export class OpenPdf {
  readonly #document: PDFDocumentProxy;

  private constructor(document: PDFDocumentProxy) {
    this.#document = document;
  }

  /** @throws FaultyFile */
  static async open(content: Buffer): Promise<OpenPdf> {
    await inspectPdf(content);
    const parsing = parse(content);
    try {
      const document = await parsing.promise;
      if (document.numPages > MOST_PAGES) throw new FaultyFile("too_many_pages");
      return new OpenPdf(document);
    } catch (error) {
      await parsing.destroy();
      if (error instanceof FaultyFile) throw error;
      throw new FaultyFile((error as Error).name === "PasswordException" ? "encrypted" : "damaged");
    }
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** The text lines, page by page, from top to bottom, whether visible or not. @throws FaultyFile */
  async textLines(): Promise<readonly PdfLine[]> {
    const lines: PdfLine[] = [];
    for (let number = 1; number <= this.pages; number += 1) lines.push(...(await this.#linesOf(number)));
    return lines;
  }

  /** Length of the page's longer side in points. @throws FaultyFile */
  async longerSide(number: number): Promise<number> {
    const { width, height } = (await this.#page(number)).getViewport({ scale: 1 });
    return Math.max(width, height, 1);
  }

  /** Renders a page as PNG, its longer side with this many pixels. @throws FaultyFile */
  async renderPage(number: number, longerSide: number): Promise<Buffer> {
    return (await this.#draw(number, longerSide)).canvas.toBuffer("image/png");
  }

  /** The same in grey. @param withText false: text is not drawn. @throws FaultyFile */
  async renderGrey(number: number, longerSide: number, withText = true): Promise<GreyImage> {
    const { canvas, context } = await this.#draw(number, longerSide, withText);
    const { width, height } = canvas;
    const { data } = context.getImageData(0, 0, width, height);
    const pixels = new Uint8Array(width * height);
    for (let at = 0, from = 0; at < pixels.length; at += 1, from += 4) {
      pixels[at] =
        (299 * (data[from] as number) + 587 * (data[from + 1] as number) + 114 * (data[from + 2] as number)) / 1000;
    }
    return { width, height, pixels };
  }

  async #draw(number: number, longerSide: number, withText = true): Promise<Canvas> {
    const page = await this.#page(number);
    const viewport = page.getViewport({ scale: longerSide / (await this.longerSide(number)) });
    try {
      const factory = this.#document.canvasFactory as unknown as CanvasFactory;
      const { canvas, context } = factory.create(Math.ceil(viewport.width) || 1, Math.ceil(viewport.height) || 1);
      await page.render({
        canvas: canvas as never,
        canvasContext: context as never,
        viewport,
        background: "white",
        ...(!withText && { operationsFilter: (at, { fnArray }) => !DRAWS_TEXT.has(fnArray[at] as number) }),
      }).promise;
      return { canvas, context };
    } catch {
      throw new FaultyFile("damaged");
    }
  }

  async close(): Promise<void> {
    await this.#document.loadingTask.destroy();
  }

  async #page(number: number) {
    try {
      return await this.#document.getPage(number);
    } catch {
      throw new FaultyFile("damaged");
    }
  }

  async #linesOf(number: number): Promise<readonly PdfLine[]> {
    const page = await this.#page(number);
    const { transform } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent().catch(() => {
      throw new FaultyFile("damaged");
    });
    const placed = items.slice(0, MOST_ITEMS).flatMap((item): PlacedText[] => {
      if (!("str" in item)) return [];
      const [along = 0, slant = 0, , , left = 0, baseline = 0] = Util.transform(transform, item.transform);
      const size = Math.hypot(along, slant);
      return [{ text: item.str, left, right: left + item.width, baseline, size }];
    });
    return groupIntoLines(placed).map((line) => ({ ...line, page: number }));
  }
}

function parse(content: Buffer): PDFDocumentLoadingTask {
  return getDocument({
    data: new Uint8Array(content),
    disableFontFace: true,
    enableXfa: false,
    isImageDecoderSupported: false,
    maxImageSize: MAX_PIXELS,
    stopAtErrors: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    cMapUrl: folder("cmaps"),
    iccUrl: folder("iccs"),
    standardFontDataUrl: folder("standard_fonts"),
    wasmUrl: folder("wasm"),
    verbosity: VerbosityLevel.ERRORS,
  });
}

interface Canvas {
  readonly canvas: { readonly width: number; readonly height: number; toBuffer(type: string): Buffer };
  /** Four bytes a dot: red, green, blue, opacity. */
  readonly context: {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8Array };
  };
}

interface CanvasFactory {
  create(width: number, height: number): Canvas;
}

function groupIntoLines(placed: readonly PlacedText[]): readonly PlacedText[] {
  const lines: PlacedText[][] = [];
  for (const item of placed.toSorted((one, other) => one.baseline - other.baseline)) {
    const line = lines.at(-1);
    if (line?.[0] !== undefined && Math.abs(line[0].baseline - item.baseline) <= SAME_LINE) line.push(item);
    else lines.push([item]);
  }
  return lines.map((line) => ({
    text: line
      .toSorted((one, other) => one.left - other.left)
      .map(({ text }) => text)
      .join(""),
    left: Math.min(...line.map(({ left }) => left)),
    right: Math.max(...line.map(({ right }) => right)),
    baseline: Math.max(...line.map(({ baseline }) => baseline)),
    size: Math.max(...line.map(({ size }) => size)),
  }));
}
