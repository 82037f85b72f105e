import { isUnavailable, startEventStore, startMongo, startRedis, startToxiproxy } from "../../start.ts";

/** Starts what can be started here, tells the urls in one line of JSON, and never stops them: its caller ends it. */
const engines = await Promise.all([
  startRedis({ killable: true }),
  startMongo({ killable: true }),
  startEventStore({ killable: true }),
  startToxiproxy(),
]);
const urls = engines.flatMap((engine) => (isUnavailable(engine) ? [] : [engine.url]));
console.log(JSON.stringify(urls));
// It lives until it is killed, or until whoever started it is gone.
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
