import { PUBLIC_EVENTS } from "@travel-booking/domain";
import {
  ALL_PARTITION,
  EVENTS,
  type EventStub,
  eventStubJson,
  feedOf,
  isCreation,
  ownedKey,
} from "@travel-booking/read-models";
import type { DocumentPut } from "../projection.ts";

const { all, byAccount, byAccountAndType } = EVENTS.event;

/** The document of a public event. @param sort `eventSortKey` */
export function eventPut(stub: EventStub, sort: string): DocumentPut {
  const { eventId, type, accountId } = stub;
  const { lane, usual } = PUBLIC_EVENTS[type];
  const indexes = {
    [all]: { partition: ALL_PARTITION, sort },
    ...(usual && { [byAccount]: { partition: accountId, sort } }),
    ...(!isCreation(type) && { [byAccountAndType]: { partition: ownedKey(accountId, type), sort } }),
  };
  return { kind: "put", model: feedOf(lane).model, key: eventId, body: eventStubJson(stub), indexes };
}
