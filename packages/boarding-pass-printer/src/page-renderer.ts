import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@travel-booking/runtime";
import type { Page } from "puppeteer";
import { NoBrowser } from "./failures.ts";
import { browsersToTry } from "./find-browser.ts";
import { type StartedBrowser, startBrowser } from "./start-browser.ts";

/** Real time. */
const PAGE_TIMEOUT_MS = 20_000;
/** Real time before the second try. By then the obstacle to a browser's start may be gone. */
const AGAIN_AFTER_MS = 1_000;
/** Real time after that in which no browser is tried, so that pages fail at once. */
const REST_MS = 10_000;

/** A page took too long. */
export class PageTimeout extends Error {
  override readonly name = "PageTimeout";
}

export interface PageRendererOptions {
  /** `BROWSER_PATH` */
  readonly browserPath: string | undefined;
  /** False for root, because no browser has a sandbox for root. */
  readonly sandbox: boolean;
  /** For the files of the browser. No other user may write to it. */
  readonly folder: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly pageTimeoutMs?: number;
  readonly restMs?: number;
}

/** Screen dots of a phone per CSS pixel. With it, nine passes below each other are within what a browser can draw. */
const PHONE_SCALE = 3;

type MakeFile = (page: Page) => Promise<Uint8Array>;

/** Millimetres. */
interface PaperSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Makes files of pages with a browser. It is started for the first page, and again after it has died. Pages run no
 * script and fetch nothing.
 */
export class PageRenderer {
  readonly #options: PageRendererOptions;
  #started: Promise<StartedBrowser> | undefined;
  #closed = false;

  constructor(options: PageRendererOptions) {
    this.#options = options;
  }

  /** A PDF on paper of this size. @throws as `#render` does. */
  pdf(html: string, { width, height }: PaperSize): Promise<Uint8Array> {
    return this.#render(html, (page) =>
      page.pdf({
        width: `${width}mm`,
        height: `${height}mm`,
        printBackground: true,
        tagged: true,
        timeout: 0,
      }),
    );
  }

  /** A PNG of the page's full height, as on a phone. @param width CSS pixels. @throws as `#render` does. */
  png(html: string, width: number): Promise<Uint8Array> {
    return this.#render(html, async (page) => {
      await page.setViewport({ width, height: 1, deviceScaleFactor: PHONE_SCALE });
      return page.screenshot({ fullPage: true });
    });
  }

  /**
   * @throws NoBrowser there is none, or none starts.
   * @throws PageTimeout the page took too long.
   */
  async #render(html: string, make: MakeFile): Promise<Uint8Array> {
    const started = await this.#runningBrowser();
    try {
      return await this.#renderIn(started, html, make);
    } catch (error) {
      // If the browser has died, render the page once more with a new one.
      if (started.browser.connected || this.#closed) throw error;
      return this.#renderIn(await this.#runningBrowser(), html, make);
    }
  }

  /** The browser's process id; undefined if none is running. */
  async processId(): Promise<number | undefined> {
    return (await this.#started)?.pid;
  }

  /** Ends the browser for good. */
  async close(): Promise<void> {
    this.#closed = true;
    const started = await this.#started?.catch(() => undefined);
    await started?.close();
  }

  #runningBrowser(): Promise<StartedBrowser> {
    if (this.#closed) throw new Error("the browser has been closed");
    if (this.#started === undefined) {
      this.#started = this.#start();
      this.#started.catch(() => setTimeout(() => this.#forget(), this.#options.restMs ?? REST_MS).unref());
    }
    return this.#started;
  }

  #forget(): void {
    this.#started = undefined;
  }

  /** Tries one browser after another, twice. @throws NoBrowser there is none, or none starts. */
  async #start(): Promise<StartedBrowser> {
    const { folder, sandbox, logger } = this.#options;
    for (const afterMs of [0, AGAIN_AFTER_MS]) {
      await pause(afterMs);
      for await (const found of browsersToTry(this.#options)) {
        try {
          return this.#watched(found.path, await startBrowser(found, folder, sandbox));
        } catch (error) {
          logger.warn({ err: error, browser: found.path }, "a browser does not start");
        }
      }
    }
    throw new NoBrowser("no browser starts: lines before this one say why");
  }

  #watched(path: string, started: StartedBrowser): StartedBrowser {
    const { logger } = this.#options;
    logger.info({ browser: path, browserPid: started.pid }, "browser started");
    started.browser.once("disconnected", () => {
      this.#forget();
      started.kill();
    });
    void started.ended.then((end) => {
      if (!this.#closed) logger.warn({ browser: path, end }, "browser exited; it is started again on demand");
    });
    return started;
  }

  async #renderIn({ browser, kill }: StartedBrowser, html: string, make: MakeFile): Promise<Uint8Array> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const timeoutMs = this.#options.pageTimeoutMs ?? PAGE_TIMEOUT_MS;
    const timer = setTimeout(
      () => reject(new PageTimeout(`a page was not rendered within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const onEnd = () => reject(new Error("the browser has ended"));
    browser.once("disconnected", onEnd);
    let page: Page | undefined;
    try {
      const rendering = (async () => {
        page = await browser.newPage();
        await show(page, html);
        return make(page);
      })();
      rendering.catch(() => undefined);
      return await Promise.race([rendering, failed]);
    } catch (error) {
      // A browser that hangs would not render the next page either.
      if (error instanceof PageTimeout) kill();
      throw error;
    } finally {
      clearTimeout(timer);
      browser.off("disconnected", onEnd);
      // Not awaited, because a browser that does not answer would take minutes. It is ended with the next page.
      void page?.close().catch(() => undefined);
    }
  }
}

async function show(page: Page, html: string): Promise<void> {
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isOwn = request.url().startsWith("data:") || request.url() === "about:blank";
    void (isOwn ? request.continue() : request.abort()).catch(() => undefined);
  });
  await page.setContent(html, { waitUntil: "load", timeout: 0 });
  await page.evaluate("document.fonts.ready.then(() => undefined)");
}
