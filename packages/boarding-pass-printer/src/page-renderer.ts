import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@travel-booking/runtime";
import type { Browser, Page } from "puppeteer";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { findBrowser } from "./find-browser.ts";
import { type LaunchedBrowser, launchBrowser } from "./launch-browser.ts";

/** The browser shares the processors with everything else. */
const MAX_CONCURRENT_PAGES = 2;
/** All of them together take far less time than a client waits. */
const MAX_QUEUED_PAGES = 200;
/** Real time. */
const PAGE_TIMEOUT_MS = 20_000;
const CLEANUP_FAILED = "could not remove files left by a browser";

/** A page took too long. */
export class PageTimeout extends Error {
  override readonly name = "PageTimeout";
}

export interface PageRendererOptions {
  /** `BROWSER_PATH` */
  readonly browserPath: string | undefined;
  /** False for root, for whom no browser has one. */
  readonly sandbox: boolean;
  /** For the files of the browser; nobody else may write to it. */
  readonly folder: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly pageTimeoutMs?: number;
}

/** Dots of a phone's screen per CSS pixel. Nine passes below each other stay within what a browser can draw. */
const PHONE_SCALE = 3;

type MakeFile = (page: Page) => Promise<Uint8Array>;

/** Millimetres. */
interface PaperSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Makes files of pages with a browser that is started for the first page, and again if it has died. Pages run no script and
 * fetch nothing.
 */
export class PageRenderer {
  readonly #options: PageRendererOptions;
  readonly #limiter = new ConcurrencyLimiter(MAX_CONCURRENT_PAGES, MAX_QUEUED_PAGES);
  #launched: Promise<LaunchedBrowser> | undefined;
  #closed = false;

  constructor(options: PageRendererOptions) {
    this.#options = options;
    this.#removeLeftovers();
  }

  /** On paper of this size. @throws as `#render` does. */
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

  /** As a phone shows it, as high as it is. @param width CSS pixels. @throws as `#render` does. */
  png(html: string, width: number): Promise<Uint8Array> {
    return this.#render(html, async (page) => {
      await page.setViewport({ width, height: 1, deviceScaleFactor: PHONE_SCALE });
      return page.screenshot({ fullPage: true });
    });
  }

  /**
   * @throws NoBrowser there is none, or it does not start.
   * @throws PrinterBusy the queue is full.
   * @throws PageTimeout the page took too long.
   */
  #render(html: string, make: MakeFile): Promise<Uint8Array> {
    return this.#limiter.run(async () => {
      const { browser } = await this.#runningBrowser();
      try {
        return await this.#renderIn(browser, html, make);
      } catch (error) {
        // If the browser has died, render the page once more with a new one.
        if (browser.connected || this.#closed) throw error;
        return this.#renderIn((await this.#runningBrowser()).browser, html, make);
      }
    });
  }

  /** Of the browser; undefined: none is running. */
  async processId(): Promise<number | undefined> {
    return (await this.#launched)?.browser.process()?.pid;
  }

  /** Ends the browser for good. */
  async close(): Promise<void> {
    this.#closed = true;
    const launched = await this.#launched?.catch(() => undefined);
    await launched?.close();
  }

  #runningBrowser(): Promise<LaunchedBrowser> {
    if (this.#closed) throw new Error("the browser has been closed");
    this.#launched ??= this.#launch();
    return this.#launched;
  }

  async #launch(): Promise<LaunchedBrowser> {
    const { browserPath, sandbox, folder, logger } = this.#options;
    try {
      const found = await findBrowser({ browserPath, folder });
      const launched = await launchBrowser(found, folder, sandbox);
      logger.info({ browser: found.path, browserPid: launched.browser.process()?.pid }, "browser started");
      launched.browser.once("disconnected", () => {
        this.#launched = undefined;
        if (this.#closed) return;
        logger.warn({ browser: found.path }, "browser exited; it is started again on demand");
        launched.close().catch((error: unknown) => logger.warn({ err: error }, CLEANUP_FAILED));
      });
      return launched;
    } catch (error) {
      this.#launched = undefined;
      throw error;
    }
  }

  /** Removes the files of browsers that ended with an earlier process. */
  #removeLeftovers(): void {
    const { folder, logger } = this.#options;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      if (!/^(?:profile|unpacking)-/.test(name)) continue;
      try {
        rmSync(join(folder, name), { recursive: true, force: true });
      } catch (error) {
        // A killed browser may still be writing; the next start removes the rest.
        logger.warn({ err: error }, CLEANUP_FAILED);
      }
    }
  }

  async #renderIn(browser: Browser, html: string, make: MakeFile): Promise<Uint8Array> {
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timeoutMs = this.#options.pageTimeoutMs ?? PAGE_TIMEOUT_MS;
    const timer = setTimeout(
      () => reject(new PageTimeout(`a page was not rendered within ${timeoutMs} ms`)),
      timeoutMs,
    );
    let page: Page | undefined;
    try {
      const rendering = (async () => {
        page = await browser.newPage();
        await show(page, html);
        return make(page);
      })();
      rendering.catch(() => undefined);
      return await Promise.race([rendering, timeout]);
    } catch (error) {
      // A browser that hangs would not render the next page either.
      if (error instanceof PageTimeout) browser.process()?.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(timer);
      await page?.close().catch(() => undefined);
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
