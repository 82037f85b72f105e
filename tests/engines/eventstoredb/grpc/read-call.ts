import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream } from "@grpc/grpc-js";

/** A call whose answers come encoded. */
export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

const OVER = ["drain", "cancelled", "close"];

/** Undefined: there is room for more. Else resolves when there is, or nobody listens any more, or the signal aborts. */
export function write(call: ReadCall, message: Buffer, signal?: AbortSignal): Promise<void> | undefined {
  if (call.write(message) || call.cancelled || signal?.aborted) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      for (const event of OVER) call.off(event, done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    for (const event of OVER) call.on(event, done);
    signal?.addEventListener("abort", done);
  });
}
