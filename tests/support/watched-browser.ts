import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "@jest/globals";
import puppeteer, { type Browser, type Page } from "puppeteer";
import type { TestBrowser } from "../boarding-passes/kit/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A browser on the pages of one origin. Whatever a page complains about, or loads from elsewhere, is in `complaints`. */
export class WatchedBrowser {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #origin: string;

  protected constructor(browser: Browser, page: Page, origin: string) {
    this.#browser = browser;
    this.page = page;
    this.#origin = origin;
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      this.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(?:data:|about:)/.test(request.url()) && !request.url().startsWith(origin))
        this.complaints.push(request.url());
    });
  }

  static async launch(found: TestBrowser): Promise<readonly [Browser, Page]> {
    const browser = await puppeteer.launch({ executablePath: found.path, headless: "shell", args: ["--no-sandbox"] });
    return [browser, await browser.newPage()];
  }

  static async at(found: TestBrowser, origin: string): Promise<WatchedBrowser> {
    return new WatchedBrowser(...(await WatchedBrowser.launch(found)), origin);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** Goes to a path, at both widths, and expects that neither axe nor the eye has anything to complain about. */
  async look(path: string): Promise<string> {
    for (const [width, scheme] of [
      [390, "dark"],
      [1280, "light"],
    ] as const) {
      await this.page.setViewport({ width, height: 800 });
      await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await this.page.goto(this.#origin + path);
      const widest = await this.page.evaluate("document.documentElement.scrollWidth");
      expect([path, width, widest]).toStrictEqual([path, width, width]);
      expect([path, width, await this.#axe()]).toStrictEqual([path, width, []]);
    }
    return this.text();
  }

  text(): Promise<string> {
    return this.page.evaluate("document.body.innerText") as Promise<string>;
  }

  /** Waits until a part of the page shows this, without it being loaded again. */
  async untilShown(text: string): Promise<void> {
    await this.page.waitForFunction(`document.body.textContent.includes(${JSON.stringify(text)})`);
  }

  async #axe(): Promise<readonly string[]> {
    // What is far from the window has no place until it is laid out, and axe would take it for something over something else.
    await this.page.evaluate(
      `for (const each of document.querySelectorAll("main *")) if (getComputedStyle(each).contentVisibility === "auto") each.style.contentVisibility = "visible"`,
    );
    await this.page.evaluate(AXE);
    return this.page.evaluate(async () => {
      const { violations } = await (
        globalThis as never as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
        }
      ).axe.run();
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
            .join(" | ")
            .slice(0, 600)}`,
      );
    });
  }
}
