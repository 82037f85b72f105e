import { setFlagsFromString } from "node:v8";
import { runService } from "@travel-booking/service-host/run";
import { beginProjectorThread } from "./begin-projector-thread.ts";

await runService("standalone", async (host) => {
  const projectorThread = beginProjectorThread(host);
  // Loads most of the service, while the other thread loads the projector.
  const { startStandalone } = await import("./standalone.ts");
  return startStandalone(host, projectorThread);
});
// Of both threads (docs/operations.md#memory). Earlier, it would only make the start collect more often.
setFlagsFromString("--heap-growing-percent=60");
