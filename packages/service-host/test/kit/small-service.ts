import { runService } from "../../src/run-service.ts";

/** A service that has nothing but what all have. It says when it is ready, writes a line to its log whenever it is asked, and says so. */
await runService("small", async ({ logger }) => {
  process.on("message", () => {
    logger.error({}, "a line");
    process.send?.("logged");
  });
  return "ready\n";
});
process.send?.("ready");
