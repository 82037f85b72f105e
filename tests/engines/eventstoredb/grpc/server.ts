import { setTimeout } from "node:timers/promises";
import { GossipService } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import { ServerFeaturesService } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import { batchAppend } from "./batch-append.ts";
import { deleteStream, tombstoneStream } from "./deletes.ts";
import { gossip } from "./gossip.ts";
import { OpenCalls } from "./open-calls.ts";
import { read } from "./read.ts";
import { features } from "./server-features.ts";
import { singleAppend } from "./single-append.ts";

/** What the calls end with should be at the client by then. */
const LONGEST_STOP_MS = 500;
/** Events come encoded: see `eventMessage`. */
const STREAMS = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: (encoded: Buffer) => encoded },
};

export interface Serving {
  readonly port: number;
  /** As a server that is told to stop: open calls end with an internal error. */
  stop(): Promise<void>;
}

/** @param port 0: any that is free. */
export async function serve(double: EventStoreDbDouble, host: string, port: number): Promise<Serving> {
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const calls = new OpenCalls();
  server.addService(STREAMS, {
    read: calls.watchStream(read(double)),
    batchAppend: calls.watchStream(batchAppend(double)),
    append: calls.watchSingle(singleAppend(double)),
    delete: calls.watchSingle(deleteStream(double)),
    tombstone: calls.watchSingle(tombstoneStream(double)),
  });
  server.addService(ServerFeaturesService, { getSupportedMethods: features });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, number) =>
      error === null ? resolve(number) : reject(error),
    );
  });
  server.addService(GossipService, { read: gossip(double, host, bound) });
  return {
    port: bound,
    async stop() {
      calls.fail();
      const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await Promise.race([ended, setTimeout(LONGEST_STOP_MS)]);
      server.forceShutdown();
    },
  };
}
