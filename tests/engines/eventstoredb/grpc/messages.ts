import type { StreamIdentifier } from "@eventstore/db-client/generated/shared_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { StoredEvent } from "../log/stored-event.ts";

const { AllStreamPosition, Empty, UUID } = shared;
const { ReadResp } = streams;
const { Checkpoint, ReadEvent, StreamNotFound, SubscriptionConfirmation } = ReadResp;

/** Of .NET, of which the server tells the time. */
const TICKS_PER_MILLISECOND = 10_000;

const encoded = new WeakMap<StoredEvent, Buffer>();

/** Encoded once, however often it is read. */
export function eventMessage(event: StoredEvent): Buffer {
  const known = encoded.get(event);
  if (known !== undefined) return known;
  const recorded = new ReadEvent.RecordedEvent();
  recorded.setId(uuid(event.id));
  recorded.setStreamIdentifier(streamIdentifier(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(String(event.position));
  recorded.setPreparePosition(String(event.position));
  recorded.getMetadataMap().set("type", event.type);
  recorded.getMetadataMap().set("content-type", event.contentType);
  recorded.getMetadataMap().set("created", String(event.created * TICKS_PER_MILLISECOND));
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.metadata);
  const read = new ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const message = new ReadResp();
  message.setEvent(read);
  const bytes = Buffer.from(message.serializeBinary());
  encoded.set(event, bytes);
  return bytes;
}

export function confirmation(id: string): Buffer {
  const confirmed = new SubscriptionConfirmation();
  confirmed.setSubscriptionId(id);
  const message = new ReadResp();
  message.setConfirmation(confirmed);
  return Buffer.from(message.serializeBinary());
}

export function checkpoint(position: bigint): Buffer {
  const reached = new Checkpoint();
  reached.setCommitPosition(String(position));
  reached.setPreparePosition(String(position));
  const message = new ReadResp();
  message.setCheckpoint(reached);
  return Buffer.from(message.serializeBinary());
}

export function caughtUp(): Buffer {
  const message = new ReadResp();
  message.setCaughtUp(new ReadResp.CaughtUp());
  return Buffer.from(message.serializeBinary());
}

export function streamNotFound(stream: string): Buffer {
  const missing = new StreamNotFound();
  missing.setStreamIdentifier(streamIdentifier(stream));
  const message = new ReadResp();
  message.setStreamNotFound(missing);
  return Buffer.from(message.serializeBinary());
}

/** The next revision, to who reads past the end. */
export function firstStreamPosition(revision: bigint): Buffer {
  const message = new ReadResp();
  message.setFirstStreamPosition(String(revision));
  return Buffer.from(message.serializeBinary());
}

/** The last revision, behind all that was read. */
export function lastStreamPosition(revision: bigint): Buffer {
  const message = new ReadResp();
  message.setLastStreamPosition(String(revision));
  return Buffer.from(message.serializeBinary());
}

export function allPosition(position: bigint) {
  const all = new AllStreamPosition();
  all.setCommitPosition(String(position));
  all.setPreparePosition(String(position));
  return all;
}

export function empty() {
  return new Empty();
}

export function uuid(id: string) {
  const message = new UUID();
  message.setString(id);
  return message;
}

export function streamIdentifier(stream: string): StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, "utf8"));
  return identifier;
}

export function streamName(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString("utf8");
}
