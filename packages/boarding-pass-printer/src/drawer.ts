import { hash } from "node:crypto";
import type { Logger } from "@travel-booking/runtime";
import { LRUCache } from "lru-cache";
import { NoBrowser, PrintingFailed } from "./failures.ts";
import { PAPER, PHONE_WIDTH, renderPassesHtml } from "./page.ts";
import type { PageRenderer } from "./page-renderer.ts";
import type { Drawing } from "./printer.ts";
import { renderBarcodesPng } from "./render-barcodes.ts";
import { Turns } from "./turns.ts";

/** The browser shares the processors with all else. All waiting drawings take far less time than a client waits. */
const BOUNDS = { maxConcurrent: 2, maxWaiting: 200, maxWaitingOfAccount: 20 };

/** Real time. */
const KEPT_MS = 300_000;
const KEPT_BYTES = 32 * 1_048_576;

interface DrawerOptions {
  readonly renderer: Pick<PageRenderer, "pdf" | "png">;
  readonly logger: Pick<Logger, "error" | "warn">;
}

/** Draws passes, one drawing of an account at a time, and keeps the files for a while. */
export class Drawer {
  readonly #options: DrawerOptions;
  readonly #turns = new Turns(BOUNDS);
  /**
   * Kept files, by a hash of the whole drawing, names included. After a booking is changed or erased its drawing
   * differs, so the old file is not found.
   */
  readonly #kept = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (file) => file.byteLength,
  });

  constructor(options: DrawerOptions) {
    this.#options = options;
  }

  /**
   * A PDF has one page per pass. A PNG has the passes below each other, as a phone shows them; without a browser it has
   * only their barcodes.
   * @param isWanted false if no client waits for the drawing when its turn comes.
   * @throws NoBrowser for a PDF, if no browser starts.
   * @throws PrinterBusy
   * @throws Error it could not be drawn; the log says why.
   */
  async draw(account: string, drawing: Drawing, isWanted: () => boolean): Promise<Uint8Array> {
    const key = hash("sha256", JSON.stringify(drawing));
    const inTurn = async () => {
      if (!isWanted()) throw new PrintingFailed("nobody waits for it");
      return this.#kept.get(key) ?? this.#drawNow(key, drawing);
    };
    return this.#kept.get(key) ?? this.#turns.run(account, inTurn);
  }

  async #drawNow(key: string, { format, passes }: Drawing): Promise<Uint8Array> {
    const { logger } = this.#options;
    try {
      const file = await this.#inBrowser({ format, passes });
      this.#kept.set(key, file);
      setTimeout(() => this.#kept.delete(key), KEPT_MS).unref();
      return file;
    } catch (error) {
      if (!(error instanceof NoBrowser)) logger.error({ err: error, format }, "a boarding pass could not be drawn");
      if (format === "pdf") throw error;
      return renderBarcodesPng(passes);
    }
  }

  #inBrowser({ format, passes }: Drawing): Promise<Uint8Array> {
    const { renderer } = this.#options;
    if (format === "pdf") return renderer.pdf(renderPassesHtml(passes, "paper"), PAPER);
    return renderer.png(renderPassesHtml(passes, "phone"), PHONE_WIDTH);
  }
}
