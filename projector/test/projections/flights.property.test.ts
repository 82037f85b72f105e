import { expect, test } from "@jest/globals";
import { flightBody } from "@travel-booking/api-contract";
import {
  type Cabin,
  type FlightCancelled,
  type FlightEvent,
  flightDecider,
  fold,
  type Instant,
  MINUTE,
  type SeatsHeld,
} from "@travel-booking/domain";
import { aimed, arbitrarySteps, NaiveFlight, sampleFlight } from "@travel-booking/domain/testing";
import { NOTHING_SEEN, type RecordedEvent } from "@travel-booking/engines/event-store";
import type { Document, ReadModels } from "@travel-booking/engines/read-store";
import {
  FLIGHTS,
  feedOf,
  findFlightSeats,
  publicEventId,
  publicEventIdOf,
  toldFlight,
} from "@travel-booking/read-models";
import { seatMapOf } from "@travel-booking/read-models/seat-map";
import fc from "fast-check";
import { ProjectionFold } from "../../src/projection-fold.ts";
import { flights } from "../../src/projections/flights.ts";
import { neverFull } from "../kit/never-full.ts";
import { flightAnswer, seatMapAnswer } from "../reference/flight-answers.ts";
import { emptyOccupancy, evolveOccupancy, type Occupancy } from "../reference/flight-occupancy.ts";
import { asRecorded } from "./kit/deliver.ts";
import { InMemoryDocuments } from "./kit/in-memory-documents.ts";

const FLIGHT = sampleFlight.plan.flightId;
const GENERATION = { projection: FLIGHTS.projection, generation: 1 };

/** After so many further events an expiry is recorded: a decision records a limited number at once. */
const delays = fc.array(fc.constantFrom(0, 0, 1, 3, 8), { minLength: 1, maxLength: 12 });
/** After so many events a fare changes. */
const fares = fc.array(
  fc.record({ after: fc.nat({ max: 60 }), cabin: fc.constantFrom<Cabin>("economy", "business") }),
  {
    maxLength: 3,
  },
);

/** After so many events an operator decides about its sales, or cancels it. */
const decisions = fc.array(fc.record({ after: fc.nat({ max: 60 }), as: fc.constantFrom("close", "open", "cancel") }), {
  maxLength: 2,
});

function decided(as: string, revision: number, at: Instant): FlightEvent {
  if (as === "cancel") return sampleFlight.cancelledFlight(revision - 1, at);
  return { type: as === "close" ? "SalesClosed" : "SalesOpened", at, data: { revision, reason: null } };
}

type FlightSteps = typeof arbitrarySteps extends fc.Arbitrary<infer Steps> ? Steps : never;

/** The life of a flight as its decider records it, except that expiries are recorded late. */
function lifeOf(steps: FlightSteps): readonly FlightEvent[] {
  const model = new NaiveFlight(sampleFlight.NOW);
  const life: FlightEvent[] = [sampleFlight.scheduled];
  let state = fold(flightDecider, life);
  for (const step of steps) {
    if (step.type === "Pass") {
      model.now += step.milliseconds;
      continue;
    }
    const command = aimed(step.command, step.aim, model);
    const { events } = flightDecider.decide(command, state, model.now);
    model.recordLapsed();
    if (events.some(({ type }) => type !== "SeatHoldExpired")) model.carryOut(command);
    for (const event of events) state = flightDecider.evolve(state, event);
    life.push(...events);
  }
  return life;
}

function delayed(life: readonly FlightEvent[], delay: readonly number[]): readonly FlightEvent[] {
  const late: { event: FlightEvent; countdown: number }[] = [];
  const told: FlightEvent[] = [];
  for (const [index, event] of life.entries()) {
    if (event.type === "SeatHoldExpired") late.push({ event, countdown: delay[index % delay.length] ?? 0 });
    else told.push(event);
    for (const waiting of late.splice(0)) {
      if (waiting.countdown === 0) told.push({ ...waiting.event, at: event.at });
      else late.push({ ...waiting, countdown: waiting.countdown - 1 });
    }
  }
  return told;
}

const histories = fc.tuple(arbitrarySteps, delays, fares, decisions).map(([steps, delay, changes, made]) => {
  const life = [...delayed(lifeOf(steps), delay)];
  for (const [index, { after, cabin }] of changes.entries()) {
    const place = 1 + (after % life.length);
    const at = life[place - 1]?.at ?? sampleFlight.NOW;
    life.splice(place, 0, { type: "FareChanged", at, data: { cabin, amount: 90_000 + index } });
  }
  for (const [index, { after, as }] of made.entries()) {
    const place = 1 + (after % life.length);
    life.splice(place, 0, decided(as, index + 1, life[place - 1]?.at ?? sampleFlight.NOW));
  }
  return asRecorded(life.map((event) => [`flight-${FLIGHT}`, event]));
});

/** The same with another ship in the end, and one booking less afterwards. */
const swapped = fc
  .tuple(histories, fc.integer({ min: 9, max: 12 }), fc.subarray(["economy", "business"] as const, { minLength: 1 }))
  .map(([events, last, cabinsOnShip]) => {
    const life = events as unknown as readonly FlightEvent[];
    const state = fold(flightDecider, life);
    const at = life.at(-1)?.at ?? sampleFlight.NOW;
    const [economy, business] = [{ ...sampleFlight.economy, rows: [9, last] as const }, sampleFlight.business];
    const cabins = [economy, business].filter(({ cabin }) => cabinsOnShip.some((one) => one === cabin));
    const revision = state.status === "scheduled" ? state.revision : 0;
    const decided = { disruptionId: "dis_2", revision, reason: null, confirmed: [] };
    const exits = cabins.map((cabin) => ({ ...cabin, exitRows: [], blocked: [] }));
    const decision = flightDecider.decide({ type: "ChangeEquipment", ...decided, cabins: exits }, state, at);
    const booking = state.status === "scheduled" ? [...state.occupancy.occupants.keys()].slice(0, 1) : [];
    const left = booking.map((bookingId): FlightEvent => ({ type: "AllocationReleased", at, data: { bookingId } }));
    return asRecorded([...life, ...decision.events, ...left].map((event) => [`flight-${FLIGHT}`, event]));
  });

/** What the reference knows after each event. */
function evolve(occupancy: Occupancy | undefined, event: RecordedEvent): Occupancy {
  const fact = event as unknown as FlightEvent;
  if (fact.type === "FlightScheduled") return emptyOccupancy(fact.data);
  if (occupancy === undefined) throw new Error("the flight is scheduled first");
  return evolveOccupancy(occupancy, fact);
}

async function documentOf(documents: InMemoryDocuments, model: string, key: string): Promise<Document | undefined> {
  return (await documents.documentsOf(GENERATION, model, [key]))[0];
}

/** What clients are answered: a stored body as long as it is true, else one made of the stored seats. */
async function answersAt(documents: InMemoryDocuments, now: Instant) {
  const models = { document: (model: string, key: string) => documentOf(documents, model, key) };
  const seats = await findFlightSeats(models as ReadModels, FLIGHT);
  const stored = await documentOf(documents, FLIGHTS.flight.model, FLIGHT);
  if (seats === undefined || stored === undefined) throw new Error("the flight is not there");
  const isFresh = stored.staleAt === null || now < stored.staleAt;
  return {
    flight: isFresh ? toldFlight(stored.body ?? "").json : JSON.stringify(flightBody(seats, now)),
    seatMap: JSON.stringify(await seatMapOf(seats, now)),
  };
}

test("flight and seat map are those of the reference, at any moment, however the log is cut", async () => {
  let sawLateExpiry = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(histories, swapped),
      fc.array(fc.nat({ max: 80 }), { maxLength: 12 }),
      async (events, cuts) => {
        const documents = new InMemoryDocuments();
        const folding = new ProjectionFold(documents, flights, GENERATION, NOTHING_SEEN);
        const ends = [...cuts.map((cut) => cut % events.length), events.length].sort((one, other) => one - other);
        let reference: Occupancy | undefined;
        let begin = 0;
        for (const end of ends) {
          const batch = events.slice(begin, end);
          begin = end;
          reference = batch.reduce(evolve, reference);
          await folding.fold(batch, neverFull);
          const taken = folding.takeBatch();
          documents.write(taken.writes);
          folding.markWritten(taken);
          const last = batch.at(-1);
          if (last === undefined || reference === undefined) continue;
          const expiries = [...reference.holds.values()].map(({ expiresAt }) => expiresAt);
          if (expiries.some((expiresAt) => expiresAt <= last.at)) sawLateExpiry += 1;
          for (const wait of [0, 1, 4 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE, ...expiries.map((at) => at - last.at)]) {
            const now = last.at + Math.max(wait, 0);
            const expected = { flight: flightAnswer(reference, now), seatMap: seatMapAnswer(reference, now) };
            expect(await answersAt(documents, now)).toStrictEqual(expected);
          }
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(sawLateExpiry).toBeGreaterThan(50);
});

/** All documents of these events, written in one batch. */
async function documentsOf(events: readonly RecordedEvent[]): Promise<string> {
  const documents = new InMemoryDocuments();
  const folding = new ProjectionFold(documents, flights, GENERATION, NOTHING_SEEN);
  await folding.fold(events, neverFull);
  documents.write(folding.takeBatch().writes);
  return documents.dump();
}

test("only what is on the flight has documents, and each hold there was, and its expiry", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (events) => {
      const reference = events.reduce<Occupancy | undefined>(evolve, undefined);
      const holds = events.flatMap(({ type, data }) =>
        type === "SeatsHeld" ? [(data as SeatsHeld["data"]).holdId] : [],
      );
      const names = JSON.parse(await documentsOf(events)).map(([name]: [string]) => name);
      const isDecided = events.some(({ type }) => /^Sales|^FlightCancelled/.test(type));
      const isCancelled = events.some(({ type }) => type === "FlightCancelled");
      const expected = [
        ...(isDecided ? [`${FLIGHTS.history.model} ${FLIGHT}`] : []),
        ...(isCancelled ? [`${FLIGHTS.disruption.model} dis_1`] : []),
        `${FLIGHTS.flight.model} ${FLIGHT}`,
        `${FLIGHTS.plan.model} ${FLIGHT}`,
        ...[...new Set(holds)].map((id) => `${FLIGHTS.hold.model} ${id}`),
        ...events
          .filter(({ type }) => type === "SeatHoldExpired")
          .map(({ id }) => `${feedOf("hold").model} ${publicEventId(id, "hold.expired", "")}`),
        ...events.flatMap(({ id, type, data }) =>
          type === "FlightCancelled"
            ? ((data as FlightCancelled["data"]).accounts ?? []).map(
                (accountId) => `${feedOf("flight").model} ${publicEventIdOf(id, accountId)}`,
              )
            : [],
        ),
        ...[...(reference?.occupants.keys() ?? [])].map((id) => `${FLIGHTS.occupant.model} ${id}/${FLIGHT}`),
      ];
      expect(names).toStrictEqual(expected.sort());
    }),
    { numRuns: 100 },
  );
});
