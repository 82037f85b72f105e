import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browsersToTry } from "@travel-booking/boarding-pass-printer/browser";
import { NoBrowser } from "@travel-booking/boarding-pass-printer/failures";

export interface TestBrowser {
  /** For `BROWSER_PATH`. */
  readonly path: string;
  discard(): void;
}

/** A browser for several services of one test: unpacking the packaged one takes seconds, so it is done beforehand, and once. */
export async function browserForTests(): Promise<TestBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "travel-booking-test-browser-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  for await (const { path } of browsersToTry({ browserPath: process.env.BROWSER_PATH, folder }))
    return { path, discard };
  throw new Error("no browser");
}

/** The same, or why there is none, for a suite that is skipped then; one that is there and can't be unpacked is a failure. */
export async function browserOrReason(): Promise<TestBrowser | string> {
  try {
    return await browserForTests();
  } catch (error) {
    if (error instanceof NoBrowser && error.cause === undefined) return error.message;
    throw error;
  }
}
