/** Loaded before the service (`node --import`): every file system has as many bytes free as `SIMULATED_FREE_BYTES` tells, a file. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const file = process.env.SIMULATED_FREE_BYTES ?? "";
const statfs = fs.statfsSync;

fs.statfsSync = ((folder: string) => {
  return { ...statfs(folder), bsize: 1, bavail: Number(fs.readFileSync(file, "utf8")) };
}) as typeof fs.statfsSync;
syncBuiltinESMExports();
