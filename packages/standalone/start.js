// Plain JavaScript that any Node reads, so that one too old for the rest says so in one line.
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `Node ${NEEDED} or later is needed, this is ${process.version}: start it with "npm start" after "npm ci", which brings one, or install it\n`,
  );
  process.exit(1);
}

// Two threads that are both busy share the cores: helpers of the garbage collector cost more than they shorten its pauses,
// and requests wait for a core while several of them mark.
const { setFlagsFromString } = await import("node:v8");
setFlagsFromString("--no-parallel-scavenge");
setFlagsFromString("--concurrent-marking-max-worker-num=1");

try {
  await import("@travel-booking/runtime/compile-cache");
  await import("./src/main.ts");
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write(`${error.message}: run npm ci\n`);
  process.exit(1);
}
