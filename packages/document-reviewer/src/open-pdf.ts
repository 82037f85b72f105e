import { createRequire } from "node:module";
import path from "node:path";
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { FaultyFile } from "./faulty-file.ts";
import { inspectPdf } from "./inspect-pdf.ts";
import { MAX_PIXELS } from "./read-image.ts";

const require = createRequire(import.meta.url);
const ROOT = path.dirname(require.resolve("pdfjs-dist/package.json"));
const folder = (name: string) => `${path.join(ROOT, name)}/`;

/** A passport's cover, the page with the zone, and other pages in the same scan. */
const MOST_PAGES = 20;
/** Maximum distance in points between texts of one line. */
const SAME_LINE = 3;
const MOST_ITEMS = 20_000;

interface PositionedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** An open PDF. It runs no scripts and fetches nothing. */
export class OpenPdf {
  readonly #document: PDFDocumentProxy;

  private constructor(document: PDFDocumentProxy) {
    this.#document = document;
  }

  /** @throws FaultyFile */
  static async open(content: Buffer): Promise<OpenPdf> {
    await inspectPdf(content);
    const pdf = await OpenPdf.#parse(content);
    if (pdf.pages <= MOST_PAGES) return pdf;
    await pdf.close();
    throw new FaultyFile("too_many_pages");
  }

  static async #parse(content: Buffer): Promise<OpenPdf> {
    try {
      const document = await getDocument({
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
      }).promise;
      const { info } = await document.getMetadata();
      if ((info as { EncryptFilterName?: unknown }).EncryptFilterName) throw new FaultyFile("encrypted");
      return new OpenPdf(document);
    } catch (error) {
      if (error instanceof FaultyFile) throw error;
      throw new FaultyFile((error as Error).name === "PasswordException" ? "encrypted" : "damaged");
    }
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** The text lines, page by page, top to bottom. @throws FaultyFile */
  async textLines(): Promise<readonly string[]> {
    const lines: string[] = [];
    for (let number = 1; number <= this.pages; number += 1) lines.push(...(await this.#linesOf(number)));
    return lines;
  }

  /** Renders a page as PNG, its longer side with this many pixels. @throws FaultyFile */
  async renderPage(number: number, longerSide: number): Promise<Buffer> {
    const page = await this.#page(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: longerSide / Math.max(width, height, 1) });
    try {
      const factory = this.#document.canvasFactory as unknown as CanvasFactory;
      const { canvas, context } = factory.create(Math.ceil(viewport.width) || 1, Math.ceil(viewport.height) || 1);
      await page.render({ canvas: canvas as never, canvasContext: context as never, viewport, background: "white" })
        .promise;
      return canvas.toBuffer("image/png");
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

  async #linesOf(number: number): Promise<readonly string[]> {
    const page = await this.#page(number);
    const { items } = await page.getTextContent().catch(() => {
      throw new FaultyFile("damaged");
    });
    const placed = items
      .slice(0, MOST_ITEMS)
      .flatMap((item): PositionedText[] =>
        "str" in item ? [{ text: item.str, x: Number(item.transform[4]), y: Number(item.transform[5]) }] : [],
      );
    return groupIntoLines(placed);
  }
}

interface CanvasFactory {
  create(
    width: number,
    height: number,
  ): { readonly canvas: { toBuffer(type: string): Buffer }; readonly context: unknown };
}

function groupIntoLines(placed: readonly PositionedText[]): readonly string[] {
  const lines: PositionedText[][] = [];
  for (const item of placed.toSorted((one, other) => other.y - one.y)) {
    const line = lines.at(-1);
    if (line?.[0] !== undefined && Math.abs(line[0].y - item.y) <= SAME_LINE) line.push(item);
    else lines.push([item]);
  }
  return lines.map((line) =>
    line
      .toSorted((one, other) => one.x - other.x)
      .map(({ text }) => text)
      .join(""),
  );
}
