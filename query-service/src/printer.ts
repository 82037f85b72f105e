import { type BoardingPassPrinter, boardingPassPrinter, PageRenderer } from "@travel-booking/boarding-pass-printer";
import type { ServiceContext } from "@travel-booking/service-host";

interface OpenPrinterOptions extends Pick<ServiceContext, "settings" | "logger" | "shutdown" | "unusual"> {
  /** For the browser; nobody else may write to it. */
  readonly folder: string;
}

/** The browser is started for the first PDF and ends with the service. */
export function openPrinter({ settings, folder, logger, shutdown, unusual }: OpenPrinterOptions): BoardingPassPrinter {
  const { browserPath, browserSandbox } = settings;
  // No browser has a sandbox for root.
  const sandbox = browserSandbox && process.getuid?.() !== 0;
  if (!sandbox && browserPath !== "none") {
    const why = browserSandbox ? "this is root" : "BROWSER_SANDBOX=false";
    unusual.push(`the browser that draws boarding passes runs without its sandbox (${why})`);
  }
  const browser = new PageRenderer({ browserPath, sandbox, folder, logger });
  shutdown.register("browser", () => browser.close());
  return boardingPassPrinter(browser);
}
