import { lockDataFolder } from "../../../src/lmdb/index.ts";

/** Takes the folder, or says why not, and stays. */
try {
  lockDataFolder(process.argv[2] ?? "");
  process.stdout.write("locked\n");
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : error}\n`);
}
