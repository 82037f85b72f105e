import type { AppendReq, BatchAppendReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { ProposedEvent } from "../log/stored-event.ts";

export function proposed(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): ProposedEvent {
  return {
    id: message.getId()?.getString() ?? "",
    type: message.getMetadataMap().get("type") ?? "",
    contentType: message.getMetadataMap().get("content-type") ?? "",
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}
