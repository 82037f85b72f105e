import { setImmediate } from "node:timers/promises";
import { MAX_DISRUPTION_REASON, timestamp } from "@travel-booking/api-contract";
import {
  accountsOn,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  changeOf,
  DISRUPTION_POLICIES,
  type FlightChange,
  type FlightState,
  findPayment,
  flightDecider,
  isExistingBooking,
  type OperatorDecisionCommand,
  type PublicEventType,
  type Rejection,
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
import { evidence, verify } from "./disruption-evidence.ts";
import { line, listItems, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

/** `run`: the revision of the plan; absent: only the plan is made. */
const decision = z.strictObject({
  reason: line(MAX_DISRUPTION_REASON).nullable().default(null),
  policy: z.enum(DISRUPTION_POLICIES).default("refund"),
  run: z.int().min(0).optional(),
});
type Decision = z.infer<typeof decision>;

type MakeCommand = (disruptionId: string, revision: number, asked: Decision) => OperatorDecisionCommand;

/** The decisions about a flight, by the last part of their path. */
const DECISIONS: Readonly<Record<string, MakeCommand>> = {
  "close-sales": (_, revision, { reason }) => ({ type: "CloseSales", revision, reason }),
  "open-sales": (_, revision, { reason }) => ({ type: "OpenSales", revision, reason }),
  cancel: (disruptionId, revision, { reason, policy }) => ({
    type: "CancelFlight",
    disruptionId,
    revision,
    policy,
    reason,
  }),
};

/** `flight close-sales`, `open-sales`, `cancel`; `disruption list`, `show`, `verify`, `export`, `pause`, `resume`, `retry`. */
export function disruptionRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    ...Object.entries(DECISIONS).map(([name, make]) =>
      operatorRoute("POST", `/operator/flights/:id/${name}`, (request) => decide(services, request, make)),
    ),
    operatorRoute("GET", "/operator/disruptions", async () => ({ data: await disruptionRows(services) })),
    operatorRoute("GET", "/operator/disruptions/:id", ({ params: { id = "" } }) => showDisruption(services, id)),
    operatorRoute("GET", "/operator/disruptions/:id/verify", async ({ params: { id = "" } }) => {
      const shown = await showCurrent(services, id);
      if (shown.status !== "ended") throw new OperatorError(409, "the sweep has not ended");
      return verify(services, shown);
    }),
    {
      method: "GET",
      path: "/operator/disruptions/:id/export",
      lines: async ({ params: { id = "" } }) => evidence(services, await showCurrent(services, id)),
    },
    operatorRoute("POST", "/operator/disruptions/:id/pause", (request) =>
      control(services, request, "PauseDisruption"),
    ),
    operatorRoute("POST", "/operator/disruptions/:id/resume", (request) =>
      control(services, request, "ResumeDisruption"),
    ),
  ];
}

async function decide(services: OperatorServices, request: OperatorRequest, make: MakeCommand) {
  const flightId = request.params.id ?? "";
  const asked = parse(decision, request.body);
  const disruptionId = disruptionIdOf(request.command.commandId);
  if (asked.run === undefined) return planOf(services, flightId, (revision) => make(disruptionId, revision, asked));
  const outcome = await services.handler.execute({
    ...flightStream(flightId),
    command: make(disruptionId, asked.run, asked),
    context: operatorContext(request),
    reply: (flight) => changeOf(flight),
  });
  if (!outcome.accepted) throw refusal(outcome.rejection);
  const change = outcome.reply;
  if (change !== undefined) services.disrupted.tell(flightId, change, outcome.position);
  await services.waitUntilProjected(outcome.position);
  return change?.disruptionId === disruptionId
    ? showDisruption(services, disruptionId)
    : { flightId, revision: asked.run + 1 };
}

const REFUSED: Readonly<Record<string, string>> = {
  flight_departed: "the flight has departed",
  flight_cancelled: "the flight is cancelled already",
  sales_closed: "the sales of the flight are closed already",
  sales_are_open: "the sales of the flight are open",
  too_many_decisions: "the flight has as many decisions as it may have",
  disruption_not_running: "the sweep has ended",
};

function refusal({ code, facts }: Rejection): OperatorError {
  if (code === "flight_not_found") return new OperatorError(404, "no flight with this id");
  if (code === "disruption_not_found") return new OperatorError(409, "the flight was disrupted anew since");
  if (code === "flight_revision_changed")
    return new OperatorError(409, `the flight has moved on since the plan: its revision is ${facts?.revision}`);
  return new OperatorError(409, REFUSED[code] ?? `refused: ${code}`);
}

interface Foreseen {
  readonly flight: Pick<DisruptionPlan, "flightId" | "revision">;
  readonly change: FlightChange | undefined;
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
  const { flight, change, accounts, bookingIds } = foreseen;
  const plan = new PlanTally(await subscriptions(services));
  if (change !== undefined) plan.tell(accounts);
  for (const bookingId of change === undefined ? [] : bookingIds) {
    // Requests get their turn.
    await setImmediate();
    await services.handler.readState({
      ...bookingStream(bookingId),
      reply: (booking) => plan.add(booking, change, at),
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
  const change = changeOf(after);
  const isNew = change?.revision === revision + 1;
  return {
    flight: { flightId: occupancy.plan.flightId, revision },
    change: isNew ? change : undefined,
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
  #webhooks = 0;

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  tell(accounts: readonly string[]): void {
    for (const accountId of accounts) this.#webhooks += this.#subscriptions(accountId, "flight.changed");
  }

  add(booking: BookingState, change: FlightChange | undefined, at: number): void {
    if (!isExistingBooking(booking) || change === undefined) return;
    const { status, cabin, passengers, accountId } = booking;
    const before = this.#bookings.get(`${status} ${cabin}`) ?? { status, cabin, bookings: 0, passengers: 0 };
    const counted = { bookings: before.bookings + 1, passengers: before.passengers + passengers.length };
    this.#bookings.set(`${status} ${cabin}`, { ...before, ...counted });
    for (const event of bookingDecider.decide({ type: "FollowFlight", change }, booking, at).events) {
      this.#addMoney(booking, event);
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
    return { bookings: [...this.#bookings.values()], money: [...this.#money.values()], webhooks: this.#webhooks };
  }
}

function rowOf({ flightId, bookings, status, stuck, change }: StoredDisruption): DisruptionRow {
  const { disruptionId: id, kind, policy, reason, revision, at } = change;
  return { id, flightId, kind, policy, reason, revision, status, bookings, stuck, createdAt: timestamp(at) };
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
  const { model, byDisruption } = BOOKINGS.disruption;
  const cases: CaseRow[] = [];
  for await (const item of listItems(services.models, model, byDisruption, id)) {
    const [accountId, currency, { id: caseId, bookingId, status, outcome, refundAmount }] = parseBody<StoredCase>(item);
    cases.push({ id: caseId, bookingId, accountId, status, outcome, refundAmount, currency });
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

/** The same, after the read models have caught up with all acknowledged writes. */
async function showCurrent(services: OperatorServices, id: string): Promise<DisruptionAnswer> {
  await services.waitUntilProjected(await services.store.head());
  return showDisruption(services, id);
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
