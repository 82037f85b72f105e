import { type BoardingPassPrinter, boardingPassPrinter, PageRenderer } from "@travel-booking/boarding-pass-printer";
import type { ServiceContext } from "@travel-booking/service-host";

interface OpenPrinterOptions extends Pick<ServiceContext, "settings" | "logger" | "shutdown"> {
  /** For the browser; nobody else may write to it. */
  readonly folder: string;
}

/** The browser is started for the first PDF and ends with the service. */
export function openPrinter({ settings, folder, logger, shutdown }: OpenPrinterOptions): BoardingPassPrinter {
  const { browserPath, browserSandbox: sandbox } = settings;
  const browser = new PageRenderer({ browserPath, sandbox, folder, logger });
  shutdown.register("browser", () => browser.close());
  return boardingPassPrinter(browser);
}
