/** Imported into each thread of a service: the projector's event loop stands still once its data folder has this file. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env.DATA_DIR ?? "", "hang-projector");
if (process.argv[1]?.endsWith("projector-thread.ts"))
  setInterval(() => {
    while (existsSync(file));
  }, 50).unref();
