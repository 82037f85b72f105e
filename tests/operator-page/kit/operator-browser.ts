import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "@jest/globals";
import puppeteer, { type Browser, type Page } from "puppeteer";
import { browserOrReason, type TestBrowser } from "../../boarding-passes/kit/browser.ts";
import type { Service } from "../../support/service.ts";

export { browserOrReason, type TestBrowser };

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const OPERATOR = "Grace Hopper";

/** An operator's browser. Whatever a page complains about, or loads from elsewhere, is in `complaints`. */
export class OperatorBrowser {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #service: Service;

  private constructor(browser: Browser, page: Page, service: Service) {
    this.#browser = browser;
    this.page = page;
    this.#service = service;
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      this.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(?:data:|about:)/.test(request.url()) && !request.url().startsWith(this.#service.operatorUrl))
        this.complaints.push(request.url());
    });
  }

  static async open(found: TestBrowser, service: Service): Promise<OperatorBrowser> {
    const browser = await puppeteer.launch({ executablePath: found.path, headless: "shell", args: ["--no-sandbox"] });
    return new OperatorBrowser(browser, await browser.newPage(), service);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async signIn(): Promise<void> {
    await this.page.goto(this.#service.operatorUrl);
    await this.page.type("[name=name]", OPERATOR);
    await this.page.type("[name=token]", readFileSync(join(this.#service.dataDir, "operator-token"), "utf8").trim());
    await this.press("Sign in");
  }

  /** Goes to a path, at both widths, and expects that neither axe nor the eye has anything to complain about. */
  async look(path: string): Promise<string> {
    for (const [width, scheme] of [
      [390, "dark"],
      [1280, "light"],
    ] as const) {
      await this.page.setViewport({ width, height: 800 });
      await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await this.page.goto(this.#service.operatorUrl + path);
      const widest = await this.page.evaluate("document.documentElement.scrollWidth");
      expect([path, width, widest]).toStrictEqual([path, width, width]);
      expect([path, width, await this.#axe()]).toStrictEqual([path, width, []]);
    }
    return this.text();
  }

  text(): Promise<string> {
    return this.page.evaluate("document.body.innerText") as Promise<string>;
  }

  /** Presses the first button with this text, and waits for the page that follows. */
  async press(label: string, within = "body"): Promise<void> {
    await Promise.all([
      this.page.waitForNavigation(),
      this.page.locator(`${within} ::-p-xpath(.//button[starts-with(normalize-space(), "${label}")])`).click(),
    ]);
  }

  async follow(text: string): Promise<void> {
    await Promise.all([
      this.page.waitForNavigation(),
      this.page.locator(`::-p-xpath(//main//a[contains(normalize-space(), "${text}")])`).click(),
    ]);
  }

  /** Waits until a part of the page shows this, without it being loaded again. */
  async untilShown(text: string): Promise<void> {
    await this.page.waitForFunction(`document.body.textContent.includes(${JSON.stringify(text)})`);
  }

  async #axe(): Promise<readonly string[]> {
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
