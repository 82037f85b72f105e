import { BoardingPassPrinter, clearBrowserFolder, startPrinter } from "@travel-booking/boarding-pass-printer";
import type { ServiceContext } from "@travel-booking/service-host";

interface OpenPrinterOptions extends Pick<ServiceContext, "settings" | "logger" | "shutdown" | "unusual"> {
  /** For the browser; nobody else may write to it. */
  readonly folder: string;
}

/** A process that is started for the first pass and ends with the service. */
export function openPrinter({ settings, folder, logger, shutdown, unusual }: OpenPrinterOptions): BoardingPassPrinter {
  const { browserPath, browserSandbox, logLevel } = settings;
  // No browser has a sandbox for root.
  const sandbox = browserSandbox && process.getuid?.() !== 0;
  if (!sandbox && browserPath !== "none") {
    const why = browserSandbox ? "this is root" : "BROWSER_SANDBOX=false";
    unusual.push(`the browser that draws boarding passes runs without its sandbox (${why})`);
  }
  clearBrowserFolder(folder, logger);
  const printer = new BoardingPassPrinter(() => startPrinter({ browserPath, sandbox, folder, logLevel }, logger));
  shutdown.register("printer", () => printer.close());
  return printer;
}
