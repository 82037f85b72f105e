import type { SupportedMethods } from "@eventstore/db-client/generated/serverfeatures_pb.js";
import serverFeatures from "@eventstore/db-client/generated/serverfeatures_pb.js";
import type { sendUnaryData } from "@grpc/grpc-js";

const VERSION = "24.10.14";
const SERVICE = "event_store.client.streams.streams";
const METHODS = ["read", "append", "batchappend", "delete", "tombstone"];

/** What the client asks for before its first append. */
export function features(_: unknown, respond: sendUnaryData<SupportedMethods>): void {
  const supported = new serverFeatures.SupportedMethods();
  supported.setEventStoreServerVersion(VERSION);
  for (const name of METHODS) {
    const method = new serverFeatures.SupportedMethod();
    method.setServiceName(SERVICE);
    method.setMethodName(name);
    supported.addMethods(method);
  }
  respond(null, supported);
}
