import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import { TOMBSTONE } from "../log/stored-event.ts";
import { systemEvent } from "../log/system-events.ts";
import { softDelete } from "./append.ts";
import { deleted, type Failure, wrongVersion } from "./failures.ts";
import { streamName } from "./messages.ts";

type Options = DeleteReq.Options | TombstoneReq.Options;

/** The stream's events are hidden, and its revisions go on where it is written to again. */
export function deleteStream(double: EventStoreDbDouble) {
  return async ({ request }: ServerUnaryCall<DeleteReq, DeleteResp>, respond: sendUnaryData<DeleteResp>) => {
    const stream = streamName(request.getOptions()?.getStreamIdentifier());
    const refused = refusal(double, stream, request.getOptions());
    if (refused !== undefined) return respond(refused);
    const position = new streams.DeleteResp.Position();
    setPosition(position, await softDelete(double, stream));
    respond(null, new streams.DeleteResp().setPosition(position));
  };
}

/** The stream can never be written to again. */
export function tombstoneStream(double: EventStoreDbDouble) {
  return async ({ request }: ServerUnaryCall<TombstoneReq, TombstoneResp>, respond: sendUnaryData<TombstoneResp>) => {
    const stream = streamName(request.getOptions()?.getStreamIdentifier());
    const refused = refusal(double, stream, request.getOptions());
    if (refused !== undefined) return respond(refused);
    const [tombstone] = await double.log.append(stream, [systemEvent(TOMBSTONE, {})]);
    const position = new streams.TombstoneResp.Position();
    setPosition(position, tombstone?.position ?? 0n);
    respond(null, new streams.TombstoneResp().setPosition(position));
  };
}

function refusal({ log }: EventStoreDbDouble, name: string, options: Options | undefined): Failure | undefined {
  const stream = log.stream(name);
  if (stream.tombstoned) return deleted(name);
  if (options === undefined || options.hasAny()) return undefined;
  const expected = options.hasNoStream() ? -1n : BigInt(options.getRevision());
  return expected === stream.lastRevision ? undefined : wrongVersion(name, expected, stream.lastRevision);
}

function setPosition(target: DeleteResp.Position | TombstoneResp.Position, position: bigint): void {
  target.setCommitPosition(String(position));
  target.setPreparePosition(String(position));
}
