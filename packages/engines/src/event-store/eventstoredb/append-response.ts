import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { Status } from "@eventstore/db-client/generated/status_pb.js";
import type { BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import { NO_STREAM, WrongExpectedRevision } from "../port.ts";
import { type AppendRequest, sizeOf } from "./append-request.ts";
import { AppendTooLarge, StreamTombstoned } from "./errors.ts";
import { appendUnavailable } from "./unavailable.ts";

/** Where the last event of an append is; the server may leave the position out. */
export interface AppendAcknowledgement {
  readonly revision: number;
  readonly position: bigint | undefined;
}

const DETAILS = "event_store.client.";

/**
 * @throws WrongExpectedRevision
 * @throws AppendTooLarge
 * @throws StreamTombstoned
 * @throws EventStoreUnavailable
 */
export function parseAppendResponse(answer: BatchAppendResp, request: AppendRequest): AppendAcknowledgement {
  const success = answer.getSuccess();
  if (success === undefined) throw appendError(answer.getError(), request);
  const position = success.getPosition()?.getCommitPosition();
  return {
    revision: Number(success.getCurrentRevision()),
    position: position === undefined ? undefined : BigInt(position),
  };
}

function appendError(status: Status | undefined, request: AppendRequest): Error {
  const { stream, expectedRevision } = request;
  const details = status?.getDetails();
  switch (details?.getTypeName()) {
    case `${DETAILS}WrongExpectedVersion`: {
      const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : NO_STREAM;
      return new WrongExpectedRevision(stream, expectedRevision, actual);
    }
    case `${DETAILS}MaximumAppendSizeExceeded`: {
      const exceeded = shared.MaximumAppendSizeExceeded.deserializeBinary(details.getValue_asU8());
      return new AppendTooLarge(stream, sizeOf(request), exceeded.getMaxappendsize());
    }
    case `${DETAILS}StreamDeleted`:
      return new StreamTombstoned(stream);
    default:
      return appendUnavailable(new Error(status?.getMessage() || "it answered neither success nor failure"));
  }
}
