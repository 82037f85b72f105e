import { setImmediate } from "node:timers/promises";
import {
  durationDays,
  instantParameter,
  MAX_DISRUPTION_REASON,
  shipSchema,
  timestamp,
  toCabinPlan,
} from "@travel-booking/api-contract";
import {
  changesOf,
  DISRUPTION_POLICIES,
  goesThere,
  type OperatorDecisionCommand,
  type Rejection,
  resultBy,
  verifiedByOperators,
} from "@travel-booking/domain";
import { parseBody } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ALL_PARTITION,
  BOOKINGS,
  type CaseRow,
  type DisruptionAnswer,
  type DisruptionRow,
  FLIGHTS,
  type StoredCase,
  type StoredDisruption,
} from "@travel-booking/read-models";
import { disruptionIdOf } from "@travel-booking/runtime";
import { z } from "zod";
import { bookingStream, flightStream } from "../streams.ts";
import { confirmedOn, planOf } from "./disruption-plan.ts";
import { line, listItems, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

/** `run`: the revision of the plan; absent: only the plan is made. */
const decision = z.strictObject({
  reason: line(MAX_DISRUPTION_REASON).nullable().default(null),
  run: z.int().min(0).optional(),
});
type Decision = z.infer<typeof decision>;

/** Limit of the flights that take over the bookings of another. */
const MAX_INTO = 20;

const cancelling = decision
  .extend({
    policy: z.enum(DISRUPTION_POLICIES).default("refund"),
    into: z.array(line(255)).min(1).max(MAX_INTO).optional(),
  })
  .refine(({ policy, into }) => policy !== "move" || into !== undefined, {
    path: ["into"],
    error: "must name the flights to move to",
  })
  .refine(({ policy, into }) => policy !== "refund" || into === undefined, {
    path: ["into"],
    error: "is for the policies move and offer",
  });

const retiming = decision.extend({ departsAt: instantParameter, durationDays: durationDays.optional() });

const swapping = decision.extend(shipSchema.shape);

type MakeCommand<Asked> = (disruptionId: string, revision: number, asked: Asked) => OperatorDecisionCommand;

/** The decisions about a flight, by the last part of their path. */
const DECISIONS: Readonly<Record<string, MakeCommand<Decision>>> = {
  "close-sales": (_, revision, { reason }) => ({ type: "CloseSales", revision, reason }),
  "open-sales": (_, revision, { reason }) => ({ type: "OpenSales", revision, reason }),
  reinstate: (_, revision, { reason }) => ({ type: "ReinstateFlight", revision, reason }),
};

/** Hardly ever asked for, so a start does not load it. */
const evidence = () => import("./disruption-evidence.ts");

/** `flight close-sales`, `open-sales`, `cancel`, `retime`, `swap`, `reinstate`; `disruption list`, `show`, `verify`, `export`, `pause`, `resume`, `retry`. */
export function disruptionRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    ...Object.entries(DECISIONS).map(([name, make]) =>
      operatorRoute("POST", `/operator/flights/:id/${name}`, (request) => decide(services, request, decision, make)),
    ),
    operatorRoute("POST", "/operator/flights/:id/cancel", (request) =>
      decide(services, request, cancelling, (disruptionId, revision, { reason, policy, into }) => {
        return { type: "CancelFlight", disruptionId, revision, policy, ...(into && { into }), reason };
      }),
    ),
    operatorRoute("POST", "/operator/flights/:id/retime", (request) =>
      decide(services, request, retiming, (disruptionId, revision, { reason, departsAt, durationDays: days }) => {
        const times = { departsAt, ...(days !== undefined && { durationDays: days }) };
        return { type: "RetimeFlight", disruptionId, revision, reason, ...times, tolerance: services.tolerance };
      }),
    ),
    operatorRoute("POST", "/operator/flights/:id/swap", async (request) => {
      const confirmed = await confirmedOn(services, request.params.id ?? "");
      return decide(services, request, swapping, (disruptionId, revision, { reason, cabins }) => {
        return { type: "ChangeEquipment", disruptionId, revision, reason, cabins: cabins.map(toCabinPlan), confirmed };
      });
    }),
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
  const command = make(disruptionId, asked.run ?? 0, asked);
  if (command.type === "CancelFlight") await refuseIfElsewhere(services, flightId, command.into ?? []);
  if (asked.run === undefined) {
    if (command.type === "ReinstateFlight") await refuseIfSettled(services, flightId);
    const planned = await planOf(services, flightId, (revision) => make(disruptionId, revision, asked));
    if ("code" in planned) throw refusal(planned);
    return planned;
  }
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

/** Bookings move only to flights that go where theirs goes. What has changed by the time they do is looked at then. */
async function refuseIfElsewhere(
  { handler }: OperatorServices,
  flightId: string,
  into: readonly string[],
): Promise<void> {
  const planOfFlight = (id: string) =>
    handler.readState({
      ...flightStream(id),
      reply: (flight) => (flight.status === "unscheduled" ? undefined : flight.occupancy),
    });
  const plan = into.length === 0 ? undefined : (await planOfFlight(flightId))?.plan;
  for (const id of plan === undefined ? [] : into) {
    const other = await planOfFlight(id);
    if (other === undefined) throw new OperatorError(404, `no flight ${id}`);
    const currency = plan?.cabins[0]?.currency ?? "";
    const goes = plan !== undefined && goesThere(other.plan, { ...plan, currency });
    if (id === flightId || !goes || other.sale === "cancelled")
      throw new OperatorError(
        409,
        `${id} can't take the bookings over: it has to go there from the same spaceport, in the same currency`,
      );
  }
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
  const isMoved = ({ after }: CaseRow) => last.policy === "move" && after !== null;
  const settled = cases.filter((row) => row.status === "resolved" || isMoved(row)).length;
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
  equipment_unchanged: "the flight goes with such a ship already; fares are changed by flight fare",
  currency_changed: "a cabin has another currency than those who are booked in it have paid in",
  seats_changing: "seats of bookings are being changed: try again in a moment",
  too_many_seats_change: "more seats would change than one decision can hold",
  departs_too_soon: "a new departure is at least two hours ahead, and a later one 15 minutes",
};

function problemsIn(facts: Rejection["facts"]): readonly string[] {
  return Array.isArray(facts?.problems) ? facts.problems : [];
}

function refusal({ code, facts }: Rejection): OperatorError {
  if (code === "flight_not_found") return new OperatorError(404, "no flight with this id");
  if (code === "invalid_plan")
    return new OperatorError(400, ...problemsIn(facts).map((problem) => `cabins ${problem}`));
  if (code === "flight_revision_changed")
    return new OperatorError(409, `the flight has moved on since the plan: its revision is ${facts?.revision}`);
  return new OperatorError(409, REFUSED[code] ?? `refused: ${code}`);
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
  let unplaced = 0;
  for await (const [accountId, currency, shown] of casesOfDisruption(services, id)) {
    const { id: caseId, bookingId } = shown;
    const after = shown.after?.flightId ?? null;
    const row = { id: caseId, bookingId, accountId, ...resultBy(id, shown), after, currency };
    if (row.status === "open" && shown.kind !== "cancelled" && shown.onSilence === null) unplaced += 1;
    const isOvertaken = found.kind === "retimed" || (found.kind === "cancelled" && after !== null);
    cases.push({ ...row, documentsByOperator: isOvertaken ? await documentsByOperator(services, bookingId) : 0 });
  }
  const money = new Map<string, number>();
  for (const { currency, refundAmount } of cases) money.set(currency, (money.get(currency) ?? 0) + refundAmount);
  return {
    ...rowOf(found),
    followed: cases.length,
    open: cases.filter(({ status }) => status === "open").length,
    unplaced,
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
