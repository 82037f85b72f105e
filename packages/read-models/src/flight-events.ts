import type { FlightStatusBody } from "@travel-booking/api-contract";
import { eventJson, flightStatusBody, seatHoldBody } from "@travel-booking/api-contract/bodies";
import {
  type FlightChange,
  type FlightPlan,
  HOLD_DURATION,
  PUBLIC_EVENTS,
  type Reseated,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { EventStub } from "./events.ts";
import type { StoredHold } from "./flight-seats.ts";
import { FLIGHTS, type FlightHistory } from "./flights.ts";

/** A seat hold as it is shown at a moment, by its document. */
export function shownHold(holdId: string, hold: StoredHold, now: number) {
  return seatHoldBody(hold.flightId, { ...hold, holdId, createdAt: hold.expiresAt - HOLD_DURATION }, now);
}

/** How a flight stands at a moment, by what was decided `until` then; undefined: there is none. */
export async function findFlightStatus(
  models: Pick<ReadModels, "document">,
  flightId: string,
  now: number,
  until = Number.POSITIVE_INFINITY,
): Promise<FlightStatusBody | undefined> {
  const plan = (await models.document(FLIGHTS.plan.model, flightId))?.state as FlightPlan | undefined;
  if (plan === undefined) return undefined;
  const history = await findHistory(models, flightId);
  return flightStatusBody(plan, history && decidedBy(history, until), now);
}

function decidedBy(history: FlightHistory, until: number): FlightHistory {
  const changes = history.changes.filter(({ at }) => at <= until);
  const isAll = changes.length === history.changes.length;
  return isAll ? history : { ...history, changes, revision: changes.at(-1)?.revision ?? 0 };
}

/**
 * What has happened to a flight, oldest first, whether its bookings have followed or not.
 * @param followed the revision that a booking follows: of what is older it needs nothing.
 */
export async function findFlightChanges(
  models: Pick<ReadModels, "document">,
  flightId: string,
  followed = 0,
): Promise<readonly FlightChange[]> {
  const known: FlightChange[] = [];
  for (const change of (await findHistory(models, flightId))?.changes ?? []) {
    if (change.kind !== "equipment_changed" || change.revision <= followed) {
      known.push(change);
      continue;
    }
    const seating = await models.document(FLIGHTS.seating.model, change.disruptionId);
    // A store may show the flight's history before it.
    if (seating === undefined) return known;
    known.push({ ...change, reseated: seating.state as readonly Reseated[] });
  }
  return known;
}

async function findHistory(models: Pick<ReadModels, "document">, flightId: string): Promise<FlightHistory | undefined> {
  return (await models.document(FLIGHTS.history.model, flightId))?.state as FlightHistory | undefined;
}

/**
 * The JSON of a public event of a seat hold, or of a flight. Nothing follows the end of a hold, and of the flight only what
 * it had decided by then is told, so both are as they were right after it.
 */
export async function jsonOfFlightEvent(
  models: Pick<ReadModels, "document">,
  { eventId: id, type, about, at }: EventStub,
): Promise<string | undefined> {
  const object =
    PUBLIC_EVENTS[type].object === "hold" ? findHold(models, about, at) : findFlightStatus(models, about, at, at);
  const found = await object;
  return found && eventJson({ id, type, at }, JSON.stringify(found));
}

async function findHold(models: Pick<ReadModels, "document">, holdId: string, now: number) {
  const hold = (await models.document(FLIGHTS.hold.model, holdId))?.state as StoredHold | undefined;
  return hold && shownHold(holdId, hold, now);
}
