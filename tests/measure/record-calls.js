import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";

// Loaded in each thread of the service before all else. At SIGUSR2 each writes, and forgets, which functions it has called since the
// last one: [url, function] each, as `<number of the signal>-<thread>.json`. The first file says that there is such a thread.
const folder = process.env.CALLS_FOLDER ?? "";
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

function write(/** @type {number} */ number) {
  session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    const called = result.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [range] }) => range !== undefined && range.count > 0)
        .map(({ functionName, ranges }) => [url, `${functionName}@${ranges[0]?.startOffset}`]),
    );
    writeFileSync(join(folder, `${number}-${threadId}.json`), JSON.stringify(called));
  });
}

write(0);
const channel = new BroadcastChannel("record calls");
channel.unref();
if (isMainThread) {
  let signals = 0;
  process.on("SIGUSR2", () => {
    signals += 1;
    channel.postMessage(signals);
    write(signals);
  });
} else channel.onmessage = ({ data }) => write(data);
