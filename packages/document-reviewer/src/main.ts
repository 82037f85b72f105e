import { runListener } from "@travel-booking/runtime/run-listener";
import { findIsolation } from "./isolation.ts";
import { relay } from "./relay.ts";
import { startReader } from "./start-reader.ts";

/** The reader in a container of its own. Each connection has a reading process, which ends with it. */
await runListener("document-reader", (_settings, logger) => {
  const isolation = findIsolation();
  void isolation.then(({ shared = "nothing" }) =>
    logger.info({ shared }, "what processes that read share with this one"),
  );
  const start = async () => startReader({ isolation: await isolation, logger });
  return (socket) => relay(socket, start, logger);
});
