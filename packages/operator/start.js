#!/usr/bin/env node
// Plain JavaScript: Node needs as long to begin reading TypeScript as for all of a command, and finds that in the cache.
try {
  await import("@travel-booking/runtime/compile-cache");
  await import("./src/command-line/main.ts");
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write(`${error.message}: run npm ci\n`);
  process.exit(1);
}
