// Plain JavaScript that any Node reads, so that one too old for the rest says so in one line.
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `Node ${NEEDED} or later is needed, this is ${process.version}: start it with "npm start" after "npm ci", which brings one, or install it\n`,
  );
  process.exit(1);
}

await import("@travel-booking/runtime/compile-cache");
await import("./src/main.ts");
