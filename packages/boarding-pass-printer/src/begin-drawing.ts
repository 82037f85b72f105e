import { setPriority } from "node:os";
import type { Logger } from "@travel-booking/runtime";
import { clearBrowserFolder } from "./browser-folder.ts";
import { Drawer } from "./drawer.ts";
import { PageRenderer } from "./page-renderer.ts";

/** Lower than that of the services that answer requests (a `nice` value); the browser inherits it. */
const PRIORITY = 5;

export interface DrawingOptions {
  /** `BROWSER_PATH` */
  readonly browserPath: string | undefined;
  /** False for root, for whom no browser has one. */
  readonly sandbox: boolean;
  /** For the files of the browser; nobody else may write to it. */
  readonly folder: string;
}

/** What a process has that draws boarding passes. */
export function beginDrawing(options: DrawingOptions, logger: Logger) {
  setPriority(PRIORITY);
  // A printer before this one may have died.
  clearBrowserFolder(options.folder, logger);
  const renderer = new PageRenderer({ ...options, logger });
  return { drawer: new Drawer({ renderer, logger }), renderer };
}
