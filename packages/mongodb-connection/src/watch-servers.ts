import type { MongoClient } from "mongodb";
import { reasonOf } from "./driver-errors.ts";
import { MongoUnavailable } from "./mongo-unavailable.ts";

/** Tells of each server that stops answering, once. */
export function watchServers(client: MongoClient, onProblem: (problem: MongoUnavailable) => void): void {
  const silent = new Set<string>();
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => silent.delete(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (silent.has(connectionId)) return;
    silent.add(connectionId);
    onProblem(new MongoUnavailable(`MongoDB at ${connectionId} does not answer: ${reasonOf(failure)}`));
  });
}
