import { AppendRefused, NO_STREAM, WrongExpectedRevision } from "../port.ts";
import { appendUnavailable, StreamTombstoned } from "./errors.ts";
import type { EncodedEvent } from "./event-codec.ts";
import { type AppendAnswer, decodeActual, encodeAppend } from "./messages.ts";

export interface AppendRequest {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EncodedEvent[];
}

/** The bytes that the server counts towards its limit. */
export function sizeOf({ events }: AppendRequest): number {
  const ofEvent = ({ data, metadata, properties }: EncodedEvent) =>
    Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * properties.type.length;
  return events.reduce((size, event) => size + ofEvent(event), 0);
}

/**
 * Leaves out the deadline that the client would send. The deadline is a time of day, so a server whose clock is ahead
 * would find every append late.
 */
export function appendRequest({ stream, expectedRevision, events }: AppendRequest, id: string): Buffer {
  const expected = expectedRevision === NO_STREAM ? { noStream: {} } : { revision: expectedRevision };
  return encodeAppend({ id: { text: id }, target: { stream: { name: stream }, ...expected }, events, isFinal: true });
}

/** Position and revision of the last event of an append. The server may omit the position. */
export interface AppendAcknowledgement {
  readonly revision: number;
  readonly position: bigint | undefined;
}

/**
 * @throws WrongExpectedRevision
 * @throws AppendRefused
 * @throws StreamTombstoned
 * @throws EventStoreUnavailable
 */
export function acknowledgementOf({ success, error }: AppendAnswer, request: AppendRequest): AppendAcknowledgement {
  if (success === null) throw appendError(error, request);
  return { revision: success.revision.toNumber(), position: success.position?.commit.toBigInt() };
}

/** @param reason for the log. */
export function appendRefused(request: AppendRequest, reason: string): AppendRefused {
  return new AppendRefused(`an append of ${sizeOf(request)} bytes to stream ${request.stream} is refused: ${reason}`);
}

function appendError(status: AppendAnswer["error"], request: AppendRequest): Error {
  const { stream, expectedRevision } = request;
  const { typeUrl = "", value = new Uint8Array() } = status?.details ?? {};
  switch (typeUrl.replace(/^.*[./]/, "")) {
    case "WrongExpectedVersion": {
      const { revision, noStream } = decodeActual(value);
      return new WrongExpectedRevision(stream, expectedRevision, noStream === null ? revision.toNumber() : NO_STREAM);
    }
    case "MaximumAppendSizeExceeded":
    case "MaximumAppendEventSizeExceeded":
    case "BadRequest":
      return appendRefused(request, `EventStoreDB says ${status?.message}`);
    case "StreamDeleted":
      return new StreamTombstoned(stream);
    default:
      return appendUnavailable(new Error(status?.message || "it answered neither success nor failure"));
  }
}
