import { eventJson, seatHoldBody } from "@travel-booking/api-contract/bodies";
import { HOLD_DURATION } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { EventStub } from "./events.ts";
import type { StoredHold } from "./flight-seats.ts";
import { FLIGHTS } from "./flights.ts";

/** A seat hold as it is shown at a moment, by its document. */
export function shownHold(holdId: string, hold: StoredHold, now: number) {
  return seatHoldBody(hold.flightId, { ...hold, holdId, createdAt: hold.expiresAt - HOLD_DURATION }, now);
}

/** The JSON of a public event of a seat hold: nothing follows its end, so it is as it was right after it. */
export async function jsonOfHoldEvent(
  models: Pick<ReadModels, "document">,
  { eventId: id, type, about, at }: EventStub,
): Promise<string | undefined> {
  const hold = (await models.document(FLIGHTS.hold.model, about))?.state as StoredHold | undefined;
  return hold && eventJson({ id, type, at }, JSON.stringify(shownHold(about, hold, at)));
}
