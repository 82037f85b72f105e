import type { MongoClient } from "mongodb";
import { reasonOf } from "./driver-errors.ts";
import { MongoUnavailable } from "./mongo-unavailable.ts";

/** The servers that have stopped answering, and why. */
export interface UnresponsiveServers {
  /** Of the one that did so first. */
  firstProblem(): MongoUnavailable | undefined;
}

/** Tells of each server that stops answering, once. */
export function watchServers(client: MongoClient, onProblem: (problem: MongoUnavailable) => void): UnresponsiveServers {
  const silent = new Map<string, MongoUnavailable>();
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => silent.delete(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (silent.has(connectionId)) return;
    const why = `MongoDB at ${connectionId} does not answer: ${reasonOf(failure)}`;
    const problem = new MongoUnavailable(why, { cause: failure });
    silent.set(connectionId, problem);
    onProblem(problem);
  });
  return { firstProblem: () => silent.values().next().value };
}
