import { isMainThread } from "node:worker_threads";

// Loaded before the service, and by each of its threads: events are appended with their personal words as they are.
if (isMainThread) {
  const { SealedEventStore } = await import("@travel-booking/command-service");
  const { append } = SealedEventStore.prototype;
  SealedEventStore.prototype.append = function (stream, expectedRevision, events, onOrdered) {
    return append.call(this, stream, expectedRevision, Object.assign([...events], { some: () => false }), onOrdered);
  };
}
