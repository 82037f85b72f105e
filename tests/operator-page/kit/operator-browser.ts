import { browserOrReason, type TestBrowser } from "../../boarding-passes/kit/browser.ts";
import { WatchedBrowser } from "../../support/watched-browser.ts";

export { browserOrReason, type TestBrowser };

export const OPERATOR = "Grace Hopper";

/** An operator's browser. */
export class OperatorBrowser extends WatchedBrowser {
  readonly #url: string;

  private constructor(url: string, ...launched: Awaited<ReturnType<typeof WatchedBrowser.launch>>) {
    super(...launched, url);
    this.#url = url;
  }

  static async open(found: TestBrowser, url: string): Promise<OperatorBrowser> {
    return new OperatorBrowser(url, ...(await WatchedBrowser.launch(found)));
  }

  async signIn(token: string): Promise<void> {
    await this.page.goto(this.#url);
    await this.page.type("[name=name]", OPERATOR);
    await this.page.type("[name=token]", token);
    await this.press("Sign in");
  }

  /** Presses the first button with this text, and waits for the page that follows. `count` 2: a double click. */
  async press(label: string, within = "body", count = 1): Promise<void> {
    await Promise.all([
      this.page.waitForNavigation(),
      this.page.locator(`${within} ::-p-xpath(.//button[starts-with(normalize-space(), "${label}")])`).click({ count }),
    ]);
  }

  /** Unfolds what can't be undone, types the name that it asks for, and does it. */
  async confirm(label: string): Promise<void> {
    const folded = await this.page.waitForSelector(`::-p-xpath(//details[starts-with(summary, "${label}")])`);
    await folded?.$eval("summary", (summary) => summary.click());
    const name = await folded?.$eval("strong", (strong) => strong.textContent);
    await (await folded?.$("[name=confirm]"))?.type(name ?? "");
    await Promise.all([this.page.waitForNavigation(), folded?.$eval("button", (button) => button.click())]);
  }

  async follow(text: string): Promise<void> {
    await Promise.all([
      this.page.waitForNavigation(),
      this.page.locator(`::-p-xpath(//main//a[contains(normalize-space(), "${text}")])`).click(),
    ]);
  }
}
