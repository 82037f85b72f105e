import { getPriority, setPriority } from "node:os";
import type { Logger } from "@travel-booking/runtime";
import { clearBrowserFolder } from "./browser-folder.ts";
import { Drawer } from "./drawer.ts";
import { PageRenderer } from "./page-renderer.ts";

/** Lower priority than the services that answer requests (a `nice` value). The browser inherits it. */
const PRIORITY = 5;

export interface DrawingOptions {
  /** `BROWSER_PATH` */
  readonly browserPath: string | undefined;
  /** False for root, because no browser has a sandbox for root. */
  readonly sandbox: boolean;
  /** For the files of the browser. No other user may write to it. */
  readonly folder: string;
}

/** Everything that a process needs to draw boarding passes. */
export function beginDrawing(options: DrawingOptions, logger: Logger) {
  setPriority(Math.max(PRIORITY, getPriority()));
  // An earlier printer may have died and left files.
  clearBrowserFolder(options.folder, logger);
  const renderer = new PageRenderer({ ...options, logger });
  return { drawer: new Drawer({ renderer, logger }), renderer };
}
