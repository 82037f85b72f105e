import { type PassengerProfileBody, passengerBody } from "@travel-booking/api-contract";
import { type PassengerEvent, type PassengerState, passengerDecider } from "@travel-booking/domain";

/** The profile as it was created, whatever has become of it since: a repeated creation is answered by the first. */
export function bodyAsCreated(state: PassengerState, events: readonly PassengerEvent[]): PassengerProfileBody {
  const creation = events.find(({ type }) => type === "PassengerCreated");
  const first = creation === undefined ? state : passengerDecider.evolve(passengerDecider.initialState(), creation);
  if (first.status !== "created") throw new Error("a passenger was created and is not there");
  return passengerBody(first.profile);
}
