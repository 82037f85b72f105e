import { setImmediate } from "node:timers/promises";
import { timestamp } from "@travel-booking/api-contract";
import {
  type BookingEvent,
  contradictionsOf,
  type DisruptionCase,
  type FlightEvent,
  type FlightState,
  flightDecider,
  isExistingBooking,
  type Occupant,
  publicEventMadeBy,
  resultBy,
  type Settlement,
  settlementOf,
  verifiedByOperators,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import {
  type DisruptionAnswer,
  type DisruptionEvidence,
  type DisruptionProof,
  publicEventId,
  registeredEndpoints,
} from "@travel-booking/read-models";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { inTurns } from "../command-handling/in-turns.ts";
import { bookingStream, flightStream } from "../streams.ts";
import type { OperatorServices } from "./operator-services.ts";

type Streams = Pick<OperatorServices, "store">;

/** A booking that had places on the flight when it was disrupted, as its own stream tells of it. */
interface Concerned {
  readonly bookingId: string;
  readonly accountId: string;
  readonly settlement: Settlement;
  /** The ids of the public events that tell of it. */
  readonly toldBy: readonly string[];
}

/** Reads whom a disruption concerns, and what became of each, from the streams alone. */
async function* concerned({ store }: Streams, { flightId, id }: DisruptionAnswer): AsyncGenerator<Concerned> {
  for (const [bookingId, { accountId }] of await onBoard({ store }, flightId, id)) {
    // Requests get their turn.
    await setImmediate();
    const history = await store.readStream(bookingStream(bookingId).stream);
    const settlement = settlementOf(history as unknown as readonly BookingEvent[], id);
    yield { bookingId, accountId, settlement, toldBy: toldBy(bookingId, history, settlement) };
  }
}

/** Who had places right after the flight was disrupted. */
async function onBoard({ store }: Streams, flightId: string, id: string): Promise<ReadonlyMap<string, Occupant>> {
  let flight: FlightState = flightDecider.initialState();
  for await (const some of inTurns(await store.readStream(flightStream(flightId).stream))) {
    for (const event of some as unknown as readonly FlightEvent[]) {
      flight = flightDecider.evolve(flight, event);
      const isIt = BEGINS.has(event.type) && "disruptionId" in event.data && event.data.disruptionId === id;
      if (isIt && flight.status === "scheduled") return flight.occupancy.occupants;
    }
  }
  return new Map();
}

const BEGINS = new Set<string>([
  "FlightCancelled",
  "FlightRetimed",
  "EquipmentChanged",
] satisfies readonly FlightEvent["type"][]);

const TELLS = new Set<string>([
  "BookingDisrupted",
  "CaseRevised",
  "BookingCancelled",
] satisfies readonly BookingEvent["type"][]);

function toldBy(bookingId: string, history: readonly RecordedEvent[], { case: one }: Settlement): readonly string[] {
  return history
    .filter(({ type, at }) => TELLS.has(type) && one !== undefined && at >= one.createdAt)
    .flatMap(({ id, type }) => {
      const made = publicEventMadeBy(type as BookingEvent["type"]);
      return made === undefined ? [] : [publicEventId(id, made, bookingId)];
    });
}

/** Adds up a disruption that has ended anew from the streams, and names all that differs from what is shown. */
export async function verify(services: OperatorServices, shown: DisruptionAnswer): Promise<DisruptionProof> {
  const differences: string[] = [];
  const cases = new Map(shown.cases.map((row) => [row.id, row]));
  const [due, paid] = [new Map<string, number>(), new Map<string, number>()];
  let [bookings, followed, open] = [0, 0, 0];
  for await (const { bookingId, settlement } of concerned(services, shown)) {
    const { booking, case: one } = settlement;
    bookings += 1;
    if (one === undefined || !isExistingBooking(booking)) {
      const isOver = booking.status === "cancelled" || booking.status === "abandoned";
      const isExcused = shown.reinstatedAt !== null || shown.stuck.includes(bookingId);
      if (!isOver && !isExcused) differences.push(`${bookingId}: it has not followed`);
      continue;
    }
    followed += 1;
    const { status, outcome, refundAmount } = resultBy(shown.id, one);
    const { caseId } = one;
    if (status === "open") open += 1;
    const row = cases.get(caseId);
    if (row?.status !== status || row.outcome !== outcome || row.refundAmount !== refundAmount)
      differences.push(`${bookingId}: its case is not shown as it is`);
    for (const contradiction of status === "superseded" ? [] : contradictionsOf(settlement))
      differences.push(`${bookingId}: ${contradiction}`);
    add(due, booking.currency, settlement.due);
    add(paid, booking.currency, settlement.paid);
  }
  for (const [name, counted] of Object.entries({ bookings, followed, open })) {
    const known = shown[name as "bookings" | "followed" | "open"];
    if (known !== counted) differences.push(`${name}: ${known} are shown, ${counted} are there`);
  }
  const money = Array.from(due, ([currency, amount]) => ({ currency, due: amount, paid: paid.get(currency) ?? 0 }));
  return { id: shown.id, bookings, followed, open, money, differences };
}

function add(sums: Map<string, number>, currency: string, amount: number): void {
  sums.set(currency, (sums.get(currency) ?? 0) + amount);
}

/** For each booking: when it was told, what was offered and chosen, what is due and paid. */
export async function* evidence(
  services: OperatorServices,
  shown: DisruptionAnswer,
): AsyncGenerator<DisruptionEvidence> {
  const accounts = new Set<string>();
  for (const { accountId } of shown.cases) accounts.add(accountId);
  const delivered = await firstDeliveries(services, accounts);
  for await (const { bookingId, accountId, settlement, toldBy } of concerned(services, shown)) {
    const { booking, case: one, due, paid } = settlement;
    const times = toldBy.flatMap((eventId) => delivered.get(eventId) ?? []);
    yield {
      disruptionId: shown.id,
      flightId: shown.flightId,
      bookingId,
      accountId,
      status: booking.status,
      toldAt: timeOf(one?.createdAt),
      deliveredAt: timeOf(times.length === 0 ? null : Math.min(...times)),
      offered: one === undefined ? null : (shown.policy ?? offeredBy(one)),
      chosen: one === undefined ? null : resultBy(shown.id, one).outcome,
      resolvedAt: timeOf(one?.resolvedAt),
      currency: isExistingBooking(booking) ? booking.currency : null,
      due,
      paid,
      documentsByOperator: verifiedByOperators(booking),
    };
  }
}

/** Without a policy: seats on another ship, or else the new departure. */
function offeredBy({ kind, after }: DisruptionCase): string | null {
  return kind === "equipment_changed" ? (after?.seats.join(" ") ?? null) : timeOf(after?.departsAt);
}

function timeOf(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : timestamp(at);
}

const ATTEMPTS_PER_PAGE = 1_000;

/** When each event was first delivered to an endpoint of these accounts, as far as the attempts are still logged. */
async function firstDeliveries(
  { models, state }: OperatorServices,
  accounts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const { attempts } = new EndpointDeliveries({ store: state });
  const first = new Map<string, number>();
  for (const { endpointId } of (await registeredEndpoints(models)).filter(({ accountId }) => accounts.has(accountId))) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await attempts.page(endpointId, { after, limit: ATTEMPTS_PER_PAGE });
      for (const { attempt } of page) {
        if (attempt.status !== "succeeded") continue;
        first.set(attempt.eventId, Math.min(attempt.deliveredAt, first.get(attempt.eventId) ?? attempt.deliveredAt));
      }
      after = page.at(-1)?.sort;
    }
  }
  return first;
}
