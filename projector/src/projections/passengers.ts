import { passengerBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingCreated,
  type CreatedPassenger,
  evolvePassenger,
  type PassengerEvent,
  type PassengerState,
  passengerDecider,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { ALL_PARTITION, ownedKey, PASSENGERS, timeSortKey } from "@travel-booking/read-models";
import {
  aggregateIdOf,
  foldingHandler,
  type Handler,
  type Projection,
  placesByCreation,
  recorded,
} from "../projection.ts";

const { kept } = PASSENGERS;
const { model, byAccount, byEmail } = PASSENGERS.passenger;

/** The key of the visible document; undefined if the event changes nothing visible. */
function keyOfVisible({ type, data }: PassengerEvent): string | undefined {
  const wasDeleted = type === "PassengerErased" && data.freed === null;
  // A profile without an account was never shown.
  return wasDeleted || !("accountId" in data) ? undefined : ownedKey(data.accountId, data.passengerId);
}

const visible = foldingHandler<PassengerState, PassengerEvent>(
  model,
  keyOfVisible,
  (before = passengerDecider.initialState(), event) =>
    event.type === "PassengerDeleted" ? undefined : evolvePassenger(before, event),
);

const USES: ReadonlySet<string> = new Set(["PassengerCreated", "PassengerChanged", "PassengerDeleted"]);

/** The saved passengers that an event uses. A change is a use, as is the deletion, which erases nothing. */
function usedIn(event: RecordedEvent): readonly string[] {
  if (event.type === "BookingCreated") return [...new Set(recorded<BookingCreated>(event).data.passengerIds)];
  return USES.has(event.type) ? [aggregateIdOf(event)] : [];
}

const keptHandler: Handler = {
  reads: (event) => usedIn(event).map((key) => ({ model: kept.model, key })),
  apply(event, documents) {
    if (event.type === "PassengerErased") return [{ kind: "delete", model: kept.model, key: aggregateIdOf(event) }];
    // One that was erased is off the list for good.
    const isListed = (key: string) =>
      event.type === "PassengerCreated" || documents.state(kept.model, key) !== undefined;
    return usedIn(event)
      .filter(isListed)
      .map((key) => {
        const place = { partition: ALL_PARTITION, sort: timeSortKey(event.at, key) };
        return { kind: "put", model: kept.model, key, state: event.at, indexes: { [kept.oldest]: place } };
      });
  },
};

/** The saved passengers of each account. Only key and position remain of a deleted passenger. */
export const passengers: Projection = {
  name: PASSENGERS.projection,
  version: PASSENGERS.version,
  models: {
    [model]: {
      represent({ profile, claim, erased }: CreatedPassenger, { created }) {
        const { accountId } = profile;
        const found = erased === true ? {} : { [byEmail]: ownedKey(accountId, claim.emailKey) };
        const indexes = placesByCreation(created, { [byAccount]: accountId, ...found });
        return { body: passengerBody(profile), indexes };
      },
    },
  },
  handlers: {
    passenger: {
      reads: (event) => [...visible.reads(event), ...keptHandler.reads(event)],
      apply: (event, documents) => [...visible.apply(event, documents), ...keptHandler.apply(event, documents)],
    },
    booking: keptHandler,
  },
};
