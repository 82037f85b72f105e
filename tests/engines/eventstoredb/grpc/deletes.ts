import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import { TOMBSTONE } from "../log/stored-event.ts";
import { systemEvent } from "../log/system-events.ts";
import { softDelete } from "./append.ts";
import { deleted, type Failure, wrongVersion } from "./failures.ts";
import { streamName } from "./messages.ts";

/** As the server tells what was expected. */
const [NO_STREAM, ANY, EXISTS] = [-1n, -2n, -4n];

type Options = DeleteReq.Options | TombstoneReq.Options;

/** The stream's events are hidden, and its revisions go on where it is written to again. */
export function deleteStream(double: EventStoreDbDouble) {
  return async ({ request }: ServerUnaryCall<DeleteReq, DeleteResp>, respond: sendUnaryData<DeleteResp>) => {
    const stream = streamName(request.getOptions()?.getStreamIdentifier());
    const refused = deleteRefusal(double, stream, request.getOptions());
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
    const refused = tombstoneRefusal(double, stream, request.getOptions());
    if (refused !== undefined) return respond(refused);
    const [tombstone] = await double.log.append(stream, [systemEvent(TOMBSTONE, {})]);
    const position = new streams.TombstoneResp.Position();
    setPosition(position, tombstone?.position ?? 0n);
    respond(null, new streams.TombstoneResp().setPosition(position));
  };
}

/** A stream that is not there can't be deleted, whatever revision is expected. */
function deleteRefusal({ log }: EventStoreDbDouble, name: string, options: Options | undefined): Failure | undefined {
  const stream = log.stream(name);
  if (stream.tombstoned) return deleted(name);
  const expected = expectedOf(options);
  const isThere = stream.lastRevision >= 0n;
  const isExpected = expected === ANY || expected === EXISTS || expected === stream.lastRevision;
  return isThere && isExpected ? undefined : wrongVersion(name, expected, stream.lastRevision);
}

function expectedOf(options: Options | undefined): bigint {
  if (options === undefined || options.hasAny()) return ANY;
  if (options.hasNoStream()) return NO_STREAM;
  return options.hasStreamExists() ? EXISTS : BigInt(options.getRevision());
}

function tombstoneRefusal(
  { log }: EventStoreDbDouble,
  name: string,
  options: Options | undefined,
): Failure | undefined {
  const stream = log.stream(name);
  if (stream.tombstoned) return deleted(name);
  const expected = expectedOf(options);
  return expected === ANY || expected === stream.lastRevision
    ? undefined
    : wrongVersion(name, expected, stream.lastRevision);
}

function setPosition(target: DeleteResp.Position | TombstoneResp.Position, position: bigint): void {
  target.setCommitPosition(String(position));
  target.setPreparePosition(String(position));
}
