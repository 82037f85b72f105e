import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runListener } from "@travel-booking/runtime/run-listener";
import { beginDrawing } from "./begin-drawing.ts";
import { lackOfSandbox } from "./sandbox.ts";
import { serveDrawer } from "./serve-drawer.ts";

/** The printer in a container of its own. All services that use it share its turns and its kept files. */
await runListener("boarding-pass-printer", ({ browserPath, browserSandbox }, logger) => {
  const folder = mkdtempSync(join(tmpdir(), "boarding-pass-printer-"));
  // The browser's files may include pages with names.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const lack = lackOfSandbox(browserSandbox);
  if (lack !== undefined) logger.info({}, lack);
  const { drawer } = beginDrawing({ browserPath, sandbox: lack === undefined, folder }, logger);
  return (socket) => {
    serveDrawer(socket, drawer).catch((error: Error) => {
      logger.warn({ err: error }, "a connection is closed");
      socket.destroy();
    });
  };
});
