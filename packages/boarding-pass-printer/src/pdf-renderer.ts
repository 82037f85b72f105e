import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@travel-booking/runtime";
import type { Browser, Page } from "puppeteer";
import { ConcurrencyLimiter, PageTimeout } from "./concurrency-limiter.ts";
import { findBrowser } from "./find-browser.ts";
import { type LaunchedBrowser, launchBrowser } from "./launch-browser.ts";

/** Pages at once: they are drawn by processes of their own, which share the processors with everything else. */
const MOST_PAGES = 2;
/** What all of them take is far less than a client waits. */
const MOST_WAITING = 200;
/** Real time. */
const PAGE_TIMEOUT_MS = 20_000;
const CLEANUP_FAILED = "could not remove files left by a browser";

export interface PdfRendererOptions {
  /** `BROWSER_PATH` */
  readonly browserPath: string | undefined;
  /** `BROWSER_SANDBOX`; never for root, to whom no browser gives one. */
  readonly sandbox: boolean;
  /** For what the browser writes, and for the one that is unpacked; nobody else may write there. */
  readonly folder: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly maxConcurrentPages?: number;
  readonly maxQueuedPages?: number;
  readonly pageTimeoutMs?: number;
}

/** A size on paper, in millimetres. */
interface PaperSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Prints pages with a browser that is looked for and started when the first page comes, and started anew when it has
 * died. Pages run no script and reach nothing outside themselves.
 */
export class PdfRenderer {
  readonly #options: PdfRendererOptions;
  readonly #limiter: ConcurrencyLimiter;
  #launched: Promise<LaunchedBrowser> | undefined;
  #closed = false;

  constructor(options: PdfRendererOptions) {
    this.#options = options;
    this.#limiter = new ConcurrencyLimiter(
      options.maxConcurrentPages ?? MOST_PAGES,
      options.maxQueuedPages ?? MOST_WAITING,
    );
  }

  /**
   * @throws NoBrowser there is none, or it does not start.
   * @throws PrinterBusy too many pages wait already.
   * @throws PageTimeout the page took too long.
   */
  pdf(html: string, size: PaperSize): Promise<Uint8Array> {
    return this.#limiter.run(async () => {
      const { browser } = await this.#runningBrowser();
      try {
        return await this.#print(browser, html, size);
      } catch (error) {
        // Whatever ended the browser is nothing the page can help: once more, with another.
        if (browser.connected || this.#closed) throw error;
        return this.#print((await this.#runningBrowser()).browser, html, size);
      }
    });
  }

  /** The process it runs in; undefined where none is running. */
  async processId(): Promise<number | undefined> {
    return (await this.#launched)?.browser.process()?.pid;
  }

  /** Ends the browser. Nothing can be printed any more. */
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
      this.#removeLeftovers(folder);
      const launched = await launchBrowser(found, folder, sandbox && process.getuid?.() !== 0);
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

  /** What browsers have left that ended with a process of ours. */
  #removeLeftovers(folder: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (!/^(?:profile|unpacking)-/.test(name)) continue;
      try {
        rmSync(join(folder, name), { recursive: true, force: true });
      } catch (error) {
        // A process of a browser that was killed may still be writing there: next time.
        this.#options.logger.warn({ err: error }, CLEANUP_FAILED);
      }
    }
  }

  async #print(browser: Browser, html: string, size: PaperSize): Promise<Uint8Array> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const within = this.#options.pageTimeoutMs ?? PAGE_TIMEOUT_MS;
    const timer = setTimeout(() => reject(new PageTimeout(`a page was not printed within ${within} ms`)), within);
    let page: Page | undefined;
    try {
      const printing = (async () => {
        page = await browser.newPage();
        return printPage(page, html, size);
      })();
      printing.catch(() => undefined);
      return await Promise.race([printing, late]);
    } catch (error) {
      // A browser that does not answer will not answer the next page either.
      if (error instanceof PageTimeout) browser.process()?.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(timer);
      await page?.close().catch(() => undefined);
    }
  }
}

async function printPage(page: Page, html: string, { width, height }: PaperSize): Promise<Uint8Array> {
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isOwn = request.url().startsWith("data:") || request.url() === "about:blank";
    void (isOwn ? request.continue() : request.abort()).catch(() => undefined);
  });
  await page.setContent(html, { waitUntil: "load", timeout: 0 });
  return page.pdf({
    width: `${width}mm`,
    height: `${height}mm`,
    printBackground: true,
    waitForFonts: true,
    tagged: true,
    timeout: 0,
  });
}
