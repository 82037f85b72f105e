import { isMainThread } from "node:worker_threads";

// Loaded before the service: on SIGUSR2 the longest turn of its event loop since the last one, without what it waited, is a line on
// standard output. The kernel counts the CPU time of a thread in steps of its ticks, up to 4 ms, which is too coarse here.
if (isMainThread) {
  let longest = 0;
  let before = performance.eventLoopUtilization();
  const turn = () => {
    const now = performance.eventLoopUtilization();
    longest = Math.max(longest, now.active - before.active);
    before = now;
    // It keeps no loop awake: what is waited for ends a turn, too.
    setImmediate(turn).unref();
  };
  turn();
  process.on("SIGUSR2", () => {
    process.stdout.write(`longest turn ${longest} ms\n`);
    longest = 0;
  });
}
