import { isMainThread } from "node:worker_threads";

// Loaded before the service: on SIGUSR2 the CPU time of the longest turn of its event loop since the last one is a line on
// standard output.
if (isMainThread) {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  let longest = 0;
  let before = cpu();
  const turn = () => {
    const now = cpu();
    longest = Math.max(longest, now - before);
    before = now;
    // It keeps no loop awake: what is waited for ends a turn, too.
    setImmediate(turn).unref();
  };
  turn();
  process.on("SIGUSR2", () => {
    process.stdout.write(`longest turn ${longest / 1_000} ms\n`);
    longest = 0;
  });
}
