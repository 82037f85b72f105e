import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browserOrReason, type TestBrowser } from "../../boarding-passes/kit/browser.ts";
import type { Service } from "../../support/service.ts";
import { WatchedBrowser } from "../../support/watched-browser.ts";

export { browserOrReason, type TestBrowser };

export const OPERATOR = "Grace Hopper";

/** An operator's browser. */
export class OperatorBrowser extends WatchedBrowser {
  readonly #service: Service;

  private constructor(service: Service, ...launched: Awaited<ReturnType<typeof WatchedBrowser.launch>>) {
    super(...launched, service.operatorUrl);
    this.#service = service;
  }

  static async open(found: TestBrowser, service: Service): Promise<OperatorBrowser> {
    return new OperatorBrowser(service, ...(await WatchedBrowser.launch(found)));
  }

  async signIn(): Promise<void> {
    await this.page.goto(this.#service.operatorUrl);
    await this.page.type("[name=name]", OPERATOR);
    await this.page.type("[name=token]", readFileSync(join(this.#service.dataDir, "operator-token"), "utf8").trim());
    await this.press("Sign in");
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
}
