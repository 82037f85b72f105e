import { setImmediate } from "node:timers/promises";
import { durationDays, instantParameter, MAX_DISRUPTION_REASON, timestamp } from "@travel-booking/api-contract";
import {
  accountsOn,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  changesOf,
  DISRUPTION_POLICIES,
  type FlightChange,
  type FlightState,
  findPayment,
  flightDecider,
  isExistingBooking,
  type OperatorDecisionCommand,
  type PublicEventType,
  type Rejection,
  verifiedByOperators,
} from "@travel-booking/domain";
import { parseBody } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ALL_PARTITION,
  BOOKINGS,
  type CaseRow,
  type DisruptionAnswer,
  type DisruptionPlan,
  type DisruptionRow,
  FLIGHTS,
  type PlannedMoney,
  publicEventsOf,
  registeredEndpoints,
  type StoredCase,
  type StoredDisruption,
} from "@travel-booking/read-models";
import { disruptionIdOf } from "@travel-booking/runtime";
import { z } from "zod";
import { bookingStream, flightStream } from "../streams.ts";
import { line, listItems, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

/** `run`: the revision of the plan; absent: only the plan is made. */
const decision = z.strictObject({
  reason: line(MAX_DISRUPTION_REASON).nullable().default(null),
  policy: z.enum(DISRUPTION_POLICIES).default("refund"),
  run: z.int().min(0).optional(),
});
type Decision = z.infer<typeof decision>;

const retiming = decision.omit({ policy: true }).extend({
  departsAt: instantParameter,
  durationDays: durationDays.optional(),
});

type MakeCommand<Asked> = (disruptionId: string, revision: number, asked: Asked) => OperatorDecisionCommand;

/** The decisions about a flight, by the last part of their path. */
const DECISIONS: Readonly<Record<string, MakeCommand<Decision>>> = {
  "close-sales": (_, revision, { reason }) => ({ type: "CloseSales", revision, reason }),
  "open-sales": (_, revision, { reason }) => ({ type: "OpenSales", revision, reason }),
  cancel: (disruptionId, revision, { reason, policy }) => ({
    type: "CancelFlight",
    disruptionId,
    revision,
    policy,
    reason,
  }),
  reinstate: (_, revision, { reason }) => ({ type: "ReinstateFlight", revision, reason }),
};

/** Hardly ever asked for, so a start does not load it. */
const evidence = () => import("./disruption-evidence.ts");

/** `flight close-sales`, `open-sales`, `cancel`, `retime`, `reinstate`; `disruption list`, `show`, `verify`, `export`, `pause`, `resume`, `retry`. */
export function disruptionRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    ...Object.entries(DECISIONS).map(([name, make]) =>
      operatorRoute("POST", `/operator/flights/:id/${name}`, (request) => decide(services, request, decision, make)),
    ),
    operatorRoute("POST", "/operator/flights/:id/retime", (request) =>
      decide(services, request, retiming, (disruptionId, revision, { reason, departsAt, durationDays: days }) => {
        const times = { departsAt, ...(days !== undefined && { durationDays: days }) };
        return { type: "RetimeFlight", disruptionId, revision, reason, ...times, tolerance: services.tolerance };
      }),
    ),
    operatorRoute("GET", "/operator/disruptions", async () => ({ data: await disruptionRows(services) })),
    operatorRoute("GET", "/operator/disruptions/:id", ({ params: { id = "" } }) => showDisruption(services, id)),
    operatorRoute("GET", "/operator/disruptions/:id/verify", async ({ params: { id = "" } }) => {
      const shown = await showCurrent(services, id);
      if (shown.status !== "ended") throw new OperatorError(409, "the sweep has not ended");
      return (await evidence()).verify(services, shown);
    }),
    {
      method: "GET",
      path: "/operator/disruptions/:id/export",
      lines: async ({ params: { id = "" } }) => (await evidence()).evidence(services, await showCurrent(services, id)),
    },
    operatorRoute("POST", "/operator/disruptions/:id/pause", (request) =>
      control(services, request, "PauseDisruption"),
    ),
    operatorRoute("POST", "/operator/disruptions/:id/resume", (request) =>
      control(services, request, "ResumeDisruption"),
    ),
  ];
}

async function decide<Asked extends { readonly run?: number | undefined }>(
  services: OperatorServices,
  request: OperatorRequest,
  schema: z.ZodType<Asked>,
  make: MakeCommand<Asked>,
) {
  const flightId = request.params.id ?? "";
  const asked = parse(schema, request.body);
  const disruptionId = disruptionIdOf(request.command.commandId);
  if (asked.run === undefined) return planOf(services, flightId, (revision) => make(disruptionId, revision, asked));
  const command = make(disruptionId, asked.run, asked);
  if (command.type === "ReinstateFlight") await refuseIfSettled(services, flightId);
  const outcome = await services.handler.execute({
    ...flightStream(flightId),
    command,
    context: operatorContext(request),
    reply: (flight) => changesOf(flight),
  });
  if (!outcome.accepted) throw refusal(outcome.rejection);
  const changes = outcome.reply;
  services.disrupted.tell(flightId, changes, outcome.position);
  await services.waitUntilProjected(outcome.position);
  const made = changes.at(-1);
  const revision = asked.run + 1;
  return made?.revision === revision ? showDisruption(services, made.disruptionId) : { flightId, revision };
}

/**
 * A flight can't be reinstated once bookings were settled by its cancellation. A client may settle one at this very moment; it stays
 * settled, and `disruption show` lists it.
 */
async function refuseIfSettled(services: OperatorServices, flightId: string): Promise<void> {
  const changes = await services.handler.readState({ ...flightStream(flightId), reply: (flight) => changesOf(flight) });
  const last = changes.at(-1);
  if (last?.kind !== "cancelled") return;
  const { cases } = await showCurrent(services, last.disruptionId);
  const settled = cases.filter(({ status }) => status === "resolved").length;
  if (settled > 0) throw new OperatorError(409, `${settled} bookings were moved, cancelled or answered`);
}

const REFUSED: Readonly<Record<string, string>> = {
  flight_departed: "the flight has departed",
  flight_cancelled: "the flight is cancelled already",
  sales_closed: "the sales of the flight are closed already",
  sales_are_open: "the sales of the flight are open",
  too_many_decisions: "the flight has as many decisions as it may have",
  disruption_not_running: "the sweep has ended",
  disruption_running: "bookings are following the cancellation: pause that first",
  flight_not_cancelled: "the flight is not cancelled",
  times_unchanged: "the flight departs then already, and takes as long",
  departs_too_soon: "a new departure is at least two hours ahead, and a later one 15 minutes",
};

function refusal({ code, facts }: Rejection): OperatorError {
  if (code === "flight_not_found") return new OperatorError(404, "no flight with this id");
  if (code === "flight_revision_changed")
    return new OperatorError(409, `the flight has moved on since the plan: its revision is ${facts?.revision}`);
  return new OperatorError(409, REFUSED[code] ?? `refused: ${code}`);
}

interface Foreseen {
  readonly flight: Pick<DisruptionPlan, "flightId" | "revision">;
  /** All that bookings have to follow then; empty: they follow nothing. */
  readonly changes: readonly FlightChange[];
  /** Who is told that the flight has changed. */
  readonly accounts: readonly string[];
  readonly bookingIds: readonly string[];
}

/** The decision that the flight would make now, and what would follow from it for each booking. Nothing is recorded. */
async function planOf(
  services: OperatorServices,
  flightId: string,
  make: (revision: number) => OperatorDecisionCommand,
): Promise<DisruptionPlan> {
  const at = services.clock.now();
  const foreseen = await services.handler.readState({
    ...flightStream(flightId),
    reply: (flight): Foreseen | Rejection => foresee(flight, make, at),
  });
  if ("code" in foreseen) throw refusal(foreseen);
  const { flight, changes, accounts, bookingIds } = foreseen;
  if (changes.at(-1)?.kind === "reinstated") await refuseIfSettled(services, flightId);
  const plan = new PlanTally(await subscriptions(services));
  if (changes.length > 0) plan.tell(accounts);
  for (const bookingId of changes.length === 0 ? [] : bookingIds) {
    // Requests get their turn.
    await setImmediate();
    await services.handler.readState({
      ...bookingStream(bookingId),
      reply: (booking) => plan.add(booking, changes, at),
    });
  }
  return { ...flight, ...plan.result };
}

function foresee(
  flight: FlightState,
  make: (revision: number) => OperatorDecisionCommand,
  at: number,
): Foreseen | Rejection {
  if (flight.status === "unscheduled") return { code: "flight_not_found" };
  const { revision, occupancy } = flight;
  const { events, rejection } = flightDecider.decide(make(revision), flight, at);
  if (rejection !== undefined) return rejection;
  const after = events.reduce(flightDecider.evolve, flightDecider.copy?.(flight) ?? flight);
  const changes = changesOf(after);
  const isNew = changes.at(-1)?.revision === revision + 1;
  return {
    flight: { flightId: occupancy.plan.flightId, revision },
    changes: isNew ? changes : [],
    accounts: accountsOn(occupancy, at),
    bookingIds: [...occupancy.occupants.keys()],
  };
}

/** How many endpoints of each account are told of each type of event. */
type Subscriptions = (accountId: string, type: PublicEventType) => number;

async function subscriptions({ models }: OperatorServices): Promise<Subscriptions> {
  const counts = new Map<string, number>();
  for (const { accountId, events } of await registeredEndpoints(models)) {
    for (const type of events) counts.set(`${accountId} ${type}`, (counts.get(`${accountId} ${type}`) ?? 0) + 1);
  }
  return (accountId, type) => counts.get(`${accountId} ${type}`) ?? 0;
}

/** Adds up what would become of the bookings on a flight. */
class PlanTally {
  readonly #subscriptions: Subscriptions;
  readonly #bookings = new Map<string, DisruptionPlan["bookings"][number]>();
  readonly #money = new Map<string, PlannedMoney>();
  #significant = 0;
  #passports = 0;
  #webhooks = 0;

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  tell(accounts: readonly string[]): void {
    for (const accountId of accounts) this.#webhooks += this.#subscriptions(accountId, "flight.changed");
  }

  add(booking: BookingState, changes: readonly FlightChange[], at: number): void {
    if (!isExistingBooking(booking)) return;
    const { status, cabin, passengers, accountId } = booking;
    const before = this.#bookings.get(`${status} ${cabin}`) ?? { status, cabin, bookings: 0, passengers: 0 };
    const counted = { bookings: before.bookings + 1, passengers: before.passengers + passengers.length };
    this.#bookings.set(`${status} ${cabin}`, { ...before, ...counted });
    for (const event of bookingDecider.decide({ type: "FollowFlight", changes }, booking, at).events) {
      this.#addMoney(booking, event);
      if ((event.type === "BookingDisrupted" || event.type === "CaseRevised") && event.data.significant)
        this.#significant += 1;
      if (event.type === "DocumentRejected" || event.type === "DocumentReopened") this.#passports += 1;
      for (const { type } of publicEventsOf(event, {})) this.#webhooks += this.#subscriptions(accountId, type);
    }
  }

  #addMoney(booking: BookingState, { type, data }: BookingEvent): void {
    if (type !== "RefundStarted" && type !== "ReturnDue") return;
    const { currency, amount, paymentId } = data;
    const method = type === "ReturnDue" ? "return" : (findPayment(booking, paymentId)?.method.type ?? "card");
    const before = this.#money.get(`${currency} ${method}`)?.amount ?? 0;
    this.#money.set(`${currency} ${method}`, { currency, method, amount: before + amount });
  }

  get result(): Omit<DisruptionPlan, "flightId" | "revision"> {
    return {
      bookings: [...this.#bookings.values()],
      significant: this.#significant,
      passports: this.#passports,
      money: [...this.#money.values()],
      webhooks: this.#webhooks,
    };
  }
}

function rowOf({ disruptionId: id, at, reinstatedAt, ...row }: StoredDisruption): DisruptionRow {
  return { id, ...row, createdAt: timestamp(at), reinstatedAt: reinstatedAt === null ? null : timestamp(reinstatedAt) };
}

async function disruptionRows({ models }: OperatorServices): Promise<readonly DisruptionRow[]> {
  const { model, newest } = FLIGHTS.disruption;
  const items = listItems(models, model, newest, ALL_PARTITION, "descending");
  return Array.fromAsync(items, (item) => rowOf(parseBody<StoredDisruption>(item)));
}

async function findDisruption({ models }: OperatorServices, id: string): Promise<StoredDisruption> {
  const found = await models.body(FLIGHTS.disruption.model, id);
  if (found === undefined) throw new OperatorError(404, "no disruption with this id");
  return parseBody<StoredDisruption>(found);
}

/** The disruption, and what has become of the bookings that have followed by now. */
async function showDisruption(services: OperatorServices, id: string): Promise<DisruptionAnswer> {
  const found = await findDisruption(services, id);
  const cases: CaseRow[] = [];
  for await (const [accountId, currency, shown] of casesOfDisruption(services, id)) {
    const { id: caseId, bookingId, status, outcome, refundAmount } = shown;
    const row = { id: caseId, bookingId, accountId, status, outcome, refundAmount, currency };
    const isOvertaken = found.kind === "retimed";
    cases.push({ ...row, documentsByOperator: isOvertaken ? await documentsByOperator(services, bookingId) : 0 });
  }
  const money = new Map<string, number>();
  for (const { currency, refundAmount } of cases) money.set(currency, (money.get(currency) ?? 0) + refundAmount);
  return {
    ...rowOf(found),
    followed: cases.length,
    open: cases.filter(({ status }) => status === "open").length,
    money: Array.from(money, ([currency, amount]) => ({ currency, amount })),
    cases,
  };
}

async function documentsByOperator({ handler }: OperatorServices, bookingId: string): Promise<number> {
  // Requests get their turn.
  await setImmediate();
  return handler.readState({ ...bookingStream(bookingId), reply: verifiedByOperators });
}

/** The same, after the read models have caught up with all acknowledged writes. */
async function showCurrent(services: OperatorServices, id: string): Promise<DisruptionAnswer> {
  await services.waitUntilProjected(await services.store.head());
  return showDisruption(services, id);
}

/** The cases that the disruption has opened or revised, as they are by now. */
export async function* casesOfDisruption({ models }: OperatorServices, id: string): AsyncGenerator<StoredCase> {
  const { disruption, caseOfDisruption } = BOOKINGS;
  for await (const item of listItems(models, caseOfDisruption.model, caseOfDisruption.byDisruption, id)) {
    const found = await models.body(disruption.model, parseBody<string>(item));
    if (found !== undefined) yield parseBody<StoredCase>(found);
  }
}

async function control(
  services: OperatorServices,
  request: OperatorRequest,
  type: "PauseDisruption" | "ResumeDisruption",
): Promise<DisruptionAnswer> {
  const disruptionId = request.params.id ?? "";
  const { flightId } = await findDisruption(services, disruptionId);
  const outcome = await services.handler.execute({
    ...flightStream(flightId),
    command: { type, disruptionId },
    context: operatorContext(request),
    reply: () => undefined,
  });
  if (!outcome.accepted) throw refusal(outcome.rejection);
  await services.waitUntilProjected(outcome.position);
  return showDisruption(services, disruptionId);
}
