import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@travel-booking/runtime";

/** Removes the files of browsers that ended with an earlier process, because they may include pages with names. */
export function clearBrowserFolder(folder: string, logger: Pick<Logger, "warn">): void {
  for (const name of namesIn(folder, logger)) {
    if (!/^(?:profile|unpacking)-/.test(name)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      // A killed browser may still be writing; the next start removes the rest.
      logger.warn({ err: error }, "could not remove files left by a browser");
    }
  }
}

function namesIn(folder: string, logger: Pick<Logger, "warn">): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      logger.warn({ err: error }, "could not look for files left by a browser");
    }
    return [];
  }
}
