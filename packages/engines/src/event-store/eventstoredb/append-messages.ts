import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { Status } from "@eventstore/db-client/generated/status_pb.js";
import type { BatchAppendReq, BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { AppendRefused, NO_STREAM, WrongExpectedRevision } from "../port.ts";
import { AppendTooLarge, appendUnavailable, StreamTombstoned } from "./errors.ts";
import type { EncodedEvent } from "./event-codec.ts";

export interface AppendRequest {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EncodedEvent[];
}

/** The bytes that the server counts towards its limit. */
export function sizeOf({ events }: AppendRequest): number {
  return events.reduce((size, { data, metadata, type }) => size + data.length + metadata.length + 2 * type.length, 0);
}

/**
 * Leaves out the deadline that the client would send: it is a time of day, so a server whose clock is ahead would find
 * every append late.
 */
export function encodeAppend({ stream, expectedRevision, events }: AppendRequest, correlationId: string) {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
  if (expectedRevision === NO_STREAM) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expectedRevision));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuid(correlationId));
  request.setOptions(options);
  request.setProposedMessagesList(events.map(proposed));
  request.setIsFinal(true);
  return request;
}

function proposed({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuid(id));
  message.getMetadataMap().set("type", type);
  message.getMetadataMap().set("content-type", "application/json");
  message.setData(data);
  message.setCustomMetadata(metadata);
  return message;
}

function uuid(id: string) {
  const message = new shared.UUID();
  message.setString(id);
  return message;
}

/** The last event of an append; the server may omit the position. */
export interface AppendAcknowledgement {
  readonly revision: number;
  readonly position: bigint | undefined;
}

const DETAILS = "event_store.client.";

/**
 * @throws WrongExpectedRevision
 * @throws AppendRefused
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
    case `${DETAILS}MaximumAppendEventSizeExceeded`:
    case `${DETAILS}BadRequest`:
      return new AppendRefused(`EventStoreDB refuses an append to stream ${stream}: ${status?.getMessage()}`);
    case `${DETAILS}StreamDeleted`:
      return new StreamTombstoned(stream);
    default:
      return appendUnavailable(new Error(status?.getMessage() || "it answered neither success nor failure"));
  }
}
