import { Socket } from "node:net";
import { createLogger } from "@travel-booking/runtime/logger";
import { beginHeartbeat, createHeartbeats, startWatchdog } from "@travel-booking/runtime/watchdog";
import { beginDrawing } from "./begin-drawing.ts";
import { serveDrawer } from "./serve-drawer.ts";
import type { PrinterOptions } from "./start-printer.ts";

/** The file descriptor of the stream that `startPrinter` opened. */
const STREAM = 3;
/** Real time after which a process that stands still ends (docs/decisions/0041-a-hung-process-ends-itself.md). */
const WATCHDOG_SECONDS = 30;

// Signals may go to all processes of the service. The service ends this one itself, after its last drawings.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

const { logLevel, ...about } = JSON.parse(process.argv[2] ?? "") as PrinterOptions;
const logger = createLogger({ level: logLevel });
const heartbeats = createHeartbeats();
beginHeartbeat(heartbeats, "main");
startWatchdog({ heartbeats, seconds: WATCHDOG_SECONDS, service: "boarding-pass-printer", logLevel });

const { drawer, renderer } = beginDrawing(about, logger);
// Half open, so that the service sees the stream end only when this process has ended.
const stream = new Socket({ fd: STREAM, readable: true, writable: true, allowHalfOpen: true });
await serveDrawer(stream, drawer);
await renderer.close();
process.exit(0);
