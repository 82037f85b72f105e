import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BoardingPassPrinter, boardingPassPrinter, PageRenderer } from "@travel-booking/boarding-pass-printer";
import type { Logger, Settings, Shutdown } from "@travel-booking/runtime";

/** A private folder for the browser of this process: in the data folder if that is writable. */
export function newBrowserFolder(dataDir: string): string {
  try {
    return mkdtempSync(join(dataDir, "browser-"));
  } catch {
    return mkdtempSync(join(tmpdir(), "travel-booking-browser-"));
  }
}

export interface OpenPrinterOptions {
  readonly settings: Pick<Settings, "browserPath" | "browserSandbox">;
  /** For the browser; nobody else may write to it. */
  readonly folder: string;
  readonly logger: Logger;
  readonly shutdown: Pick<Shutdown, "register">;
}

/** The browser is started for the first PDF and ends with the service. */
export function openPrinter({ settings, folder, logger, shutdown }: OpenPrinterOptions): BoardingPassPrinter {
  const { browserPath, browserSandbox: sandbox } = settings;
  const browser = new PageRenderer({ browserPath, sandbox, folder, logger });
  shutdown.register("browser", () => browser.close());
  return boardingPassPrinter(browser);
}
