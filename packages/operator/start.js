#!/usr/bin/env node
// Plain JavaScript: Node needs as long to begin reading TypeScript as for all of a command, and finds that in the cache.
await import("@travel-booking/runtime/compile-cache");
await import("./src/command-line/main.ts");
