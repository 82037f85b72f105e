import { passengerBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingCreated,
  type CreatedPassenger,
  evolvePassenger,
  type Instant,
  type PassengerEvent,
  type PassengerState,
  passengerDecider,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { ALL_PARTITION, ownedKey, PASSENGERS, timeSortKey } from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  foldingHandler,
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

/** A change is a use, as is its deletion, which erases nothing. */
function placeOfKept(event: RecordedEvent): readonly Change[] {
  const key = aggregateIdOf(event);
  if (event.type === "PassengerErased") return [{ kind: "delete", model: kept.model, key }];
  return USES.has(event.type) ? [used(key, event.at)] : [];
}

/** The saved passengers that a booking was made for. */
function savedIn(event: RecordedEvent): readonly string[] {
  return event.type === "BookingCreated" ? [...new Set(recorded<BookingCreated>(event).data.passengerIds)] : [];
}

function used(key: string, at: Instant): Change {
  const place = { partition: ALL_PARTITION, sort: timeSortKey(at, key) };
  return { kind: "put", model: kept.model, key, state: at, indexes: { [kept.oldest]: place } };
}

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
      reads: visible.reads,
      apply: (event, documents) => [...visible.apply(event, documents), ...placeOfKept(event)],
    },
    booking: {
      reads: (event) => savedIn(event).map((key) => ({ model: kept.model, key })),
      // One that was erased meanwhile is off the list for good.
      apply: (event, documents) =>
        savedIn(event)
          .filter((key) => documents.state(kept.model, key) !== undefined)
          .map((key) => used(key, event.at)),
    },
  },
};
