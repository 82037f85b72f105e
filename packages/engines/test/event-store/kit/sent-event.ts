import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { anEvent } from "../../../contract/event-store-contract.ts";
import { encodeEvent } from "../../../src/event-store/eventstoredb/event-codec.ts";

/** An event as a server sends it. */
export function sent(position: number, isOurs: boolean, text = ""): Buffer {
  const { properties, data, metadata } = encodeEvent(anEvent({ text }));
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  const stream = new shared.StreamIdentifier();
  stream.setStreamName(Buffer.from(isOurs ? "booking-1" : "$stats"));
  recorded.setStreamIdentifier(stream);
  recorded.setCommitPosition(String(position));
  recorded.setPreparePosition(String(position));
  recorded.getMetadataMap().set("type", properties.type);
  recorded.getMetadataMap().set("content-type", properties["content-type"]);
  recorded.setData(Buffer.from(data));
  recorded.setCustomMetadata(Buffer.from(metadata));
  const resolved = new streams.ReadResp.ReadEvent();
  resolved.setEvent(recorded);
  const response = new streams.ReadResp();
  response.setEvent(resolved);
  return Buffer.from(response.serializeBinary());
}
