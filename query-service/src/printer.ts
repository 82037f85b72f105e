import {
  BoardingPassPrinter,
  clearBrowserFolder,
  lackOfSandbox,
  startPrinter,
} from "@travel-booking/boarding-pass-printer";
import { connectTo } from "@travel-booking/runtime/stream-address";
import type { ServiceContext } from "@travel-booking/service-host";

interface OpenPrinterOptions extends Pick<ServiceContext, "settings" | "logger" | "shutdown" | "unusual"> {
  /** Returns a folder for the browser, if this service starts it. No other user may write to it. */
  readonly folder: () => string;
}

/** Uses the printer of the settings, else a process that starts with the first pass and ends with the service. */
export function openPrinter({ settings, folder, logger, shutdown, unusual }: OpenPrinterOptions): BoardingPassPrinter {
  const { boardingPassPrinterUrl } = settings;
  const printer = new BoardingPassPrinter(
    boardingPassPrinterUrl === undefined
      ? ownPrinter({ settings, folder, logger, unusual })
      : () => connectTo(boardingPassPrinterUrl),
  );
  shutdown.register("printer", () => printer.close());
  return printer;
}

function ownPrinter({ settings, folder: openFolder, logger, unusual }: Omit<OpenPrinterOptions, "shutdown">) {
  const { browserPath, browserSandbox, logLevel } = settings;
  const lack = lackOfSandbox(browserSandbox);
  if (lack !== undefined && browserPath !== "none") unusual.push(lack);
  const folder = openFolder();
  clearBrowserFolder(folder, logger);
  return () => startPrinter({ browserPath, sandbox: lack === undefined, folder, logLevel }, logger);
}
