import { parentPort, workerData } from "node:worker_threads";
import { DamagedStore } from "@travel-booking/engines/event-store";
import { openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { openRoot } from "@travel-booking/engines/read-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { type EventReference, SkippedEvents } from "@travel-booking/read-models/control";
import { newWords } from "@travel-booking/read-models/testing";
import { Projector, serveProjector } from "../../src/index.ts";
import { fleet, waiting } from "./example-projections.ts";
import { TestLog } from "./log.ts";

const { folder, mode } = workerData as { folder: string; mode: "sound" | "damaged" };
const port = parentPort;
if (port === null) throw new Error("to be run as a thread");

const root = openRoot(folder);
const log = new TestLog();
const skippedEvents = new SkippedEvents(new InMemoryStateStore());
await log.record("ship-a", "Boarded", "ann");
await log.record("ship-a", "Boarded", "bob");
await log.record("ship-a", "Departed");
if (mode === "damaged") log.failure = new DamagedStore("log", "a hole");

port.on("message", (message: { kind: string; type?: string; name?: string; event?: EventReference }) => {
  if (message.kind === "record") void log.record("ship-a", message.type ?? "Boarded", message.name);
  if (message.kind === "skip" && message.event) void skippedEvents.add("fleet", message.event);
  if (message.kind === "exit") port.close();
  if (message.kind === "end") void root.close().finally(() => process.exit());
});
await serveProjector(
  port,
  (callbacks) =>
    new Projector({
      eventStore: log,
      readStore: openLmdbReadStore(root),
      words: newWords(),
      skippedEvents,
      projections: [fleet, waiting],
      ...callbacks,
    }),
  () => root.close(),
);
