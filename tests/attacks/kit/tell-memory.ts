/** Imported into a service: at SIGUSR2 it says how many bytes are still in use once all that is garbage is collected. */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`in use: ${heapUsed + external}\n`);
});
