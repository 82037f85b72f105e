import { Socket } from "node:net";
import { setPriority } from "node:os";
import { createLogger } from "@travel-booking/runtime/logger";
import { beginHeartbeat, createHeartbeats, startWatchdog } from "@travel-booking/runtime/watchdog";
import { clearBrowserFolder } from "./browser-folder.ts";
import { Drawer } from "./drawer.ts";
import { PageRenderer } from "./page-renderer.ts";
import { serveDrawer } from "./serve-drawer.ts";
import type { PrinterOptions } from "./start-printer.ts";

/** Lower than that of the services that answer requests (a `nice` value); the browser inherits it. */
const PRIORITY = 5;
/** Of the stream that `startPrinter` has opened. */
const STREAM = 3;
/** Real time after which a process that stands still ends (docs/decisions/0041-a-hung-process-ends-itself.md). */
const WATCHDOG_SECONDS = 30;

setPriority(PRIORITY);
// They may be for all processes of the service, which says when this one ends: it finishes what it draws for others.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

const { logLevel, ...about } = JSON.parse(process.argv[2] ?? "") as PrinterOptions;
const logger = createLogger({ level: logLevel });
const heartbeats = createHeartbeats();
beginHeartbeat(heartbeats, "main");
startWatchdog({ heartbeats, seconds: WATCHDOG_SECONDS, service: "boarding-pass-printer", logLevel });

// A printer before this one may have died.
clearBrowserFolder(about.folder, logger);
const renderer = new PageRenderer({ ...about, logger });
// Half open, so that the service sees its end when this process has ended.
const stream = new Socket({ fd: STREAM, readable: true, writable: true, allowHalfOpen: true });
await serveDrawer(stream, new Drawer({ renderer, logger }));
await renderer.close();
process.exit(0);
