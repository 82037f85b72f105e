import { type CatalogueFile, catalogueFile, toFlightPlan } from "@travel-booking/api-contract";
import type { Decider, DomainEvent, FlightPlan, Rejection } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { latestPosition } from "../command-handling/command.ts";
import { destinationStream, flightStream } from "../streams.ts";
import { type OperatorServices, operatorContext, parse } from "./operator-services.ts";

/** How many streams are written at the same time. */
const CONCURRENCY = 64;

interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

/** What an import did. */
export interface ImportReport {
  readonly destinations: Tally;
  readonly flights: Tally;
}

type Fields = Readonly<Record<string, unknown>>;

/** What an import would change of a destination or a flight: `from` is null for a new one. */
interface CatalogueChange {
  readonly id: string;
  readonly from: Fields | null;
  readonly to: Fields;
}

/** What an import would do. */
interface ImportPreview extends ImportReport {
  readonly changes: readonly CatalogueChange[];
  readonly refused: readonly string[];
}

/** `catalogue import`, `preview`. Importing again changes nothing. Refused entries are named; the rest is imported. */
export function catalogueRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("POST", "/operator/catalogue", (request) => importCatalogue(services, request)),
    operatorRoute("POST", "/operator/catalogue/preview", (request) => previewCatalogue(services, request)),
  ];
}

/** A destination or a flight of the file. */
interface Entry<Command, State, Event extends DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly decider: Decider<Command, State, Event>;
  readonly command: Command;
  /** The present values of the fields that may change; null: the entry does not exist yet. */
  readonly known: (state: State) => Fields | null;
  readonly wanted: Fields;
}

interface Outcome {
  readonly events: readonly { readonly type: string }[];
  readonly rejection?: Rejection | undefined;
}

type Decide = <Command, State, Event extends DomainEvent>(entry: Entry<Command, State, Event>) => Promise<Outcome>;

/** @throws OperatorError 400 for an invalid file, 409 with the names of the refused flights. */
export async function importCatalogue(services: OperatorServices, request: OperatorRequest): Promise<ImportReport> {
  let last = 0n;
  const { refused, ...report } = await decideAll(services, request, async ({ stream, decider, command }) => {
    const outcome = await services.handler.execute({
      stream,
      decider,
      command,
      // Entries are commands of their own: again, each changes nothing.
      context: { ...operatorContext(request), commandId: services.ids.next() },
      reply: (_state, events) => events,
    });
    if (!outcome.accepted) return { events: [], rejection: outcome.rejection };
    last = latestPosition(last, outcome.position);
    return { events: outcome.reply };
  });
  await services.waitUntilProjected(last);
  if (refused.length > 0) throw new OperatorError(409, ...refused);
  return report;
}

/** Makes the decisions of an import and records nothing. @throws OperatorError 400 for an invalid file. */
async function previewCatalogue(services: OperatorServices, request: OperatorRequest): Promise<ImportPreview> {
  const changes: CatalogueChange[] = [];
  const at = services.clock.now();
  const outcome = await decideAll(services, request, async ({ id, stream, decider, command, known, wanted }) => {
    const { decision, from } = await services.handler.readState({
      stream,
      decider,
      reply: (state) => ({ decision: decider.decide(command, state, at), from: known(state) }),
    });
    if (decision.events.length > 0) changes.push({ id, ...differences(from, wanted) });
    return decision;
  });
  return { ...outcome, changes };
}

function differences(from: Fields | null, to: Fields): Pick<CatalogueChange, "from" | "to"> {
  if (from === null) return { from, to };
  const changed = Object.keys(to).filter((field) => from[field] !== to[field]);
  const of = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { from: of(from), to: of(to) };
}

async function decideAll(services: OperatorServices, request: OperatorRequest, decide: Decide) {
  const file = parse(catalogueFile, request.body);
  const report = { destinations: emptyTally(), flights: emptyTally() };
  const refused: string[] = [];
  const count = (tally: Tally, { events: [first] }: Outcome) => {
    if (first === undefined) tally.unchanged += 1;
    else if (first.type === "DestinationListed" || first.type === "FlightScheduled") tally.added += 1;
    else tally.changed += 1;
  };
  await inBatches(file.destinations, async (destination) => {
    const outcome = await decide({
      id: destination.id,
      ...destinationStream(destination.id),
      command: { type: "ListDestination", destination },
      known: (state) => (state.status === "listed" ? { ...state.destination } : null),
      wanted: { ...destination },
    });
    count(report.destinations, outcome);
  });
  const destinations = await listedDestinations(services, file);
  await inBatches(file.flights, async (flight) => {
    if (!destinations.has(flight.destinationId)) {
      refused.push(`flight ${flight.id} was not imported: there is no destination ${flight.destinationId}`);
      return;
    }
    const plan = toFlightPlan(flight);
    const outcome = await decide({
      id: flight.id,
      ...flightStream(flight.id),
      command: { type: "ScheduleFlight", plan },
      known: (state) => (state.status === "unscheduled" ? null : faresOf(state.occupancy.plan)),
      wanted: faresOf(plan),
    });
    if (outcome.rejection === undefined) count(report.flights, outcome);
    else refused.push(rejectionMessage(flight.id, outcome.rejection));
  });
  return { ...report, refused };
}

/** The fares by cabin: nothing else may change of a flight on sale. */
function faresOf({ cabins }: FlightPlan): Fields {
  return Object.fromEntries(cabins.map(({ cabin, amount, currency }) => [cabin, `${amount} ${currency}`]));
}

/** The destinations of the file's flights that exist, in the file or in the catalogue. */
async function listedDestinations(
  { handler }: OperatorServices,
  { destinations, flights }: CatalogueFile,
): Promise<ReadonlySet<string>> {
  const listed = new Set(destinations.map(({ id }) => id));
  const others = flights.map(({ destinationId }) => destinationId).filter((id) => !listed.has(id));
  for (const id of new Set(others)) {
    const isListed = await handler.readState({
      ...destinationStream(id),
      reply: (destination) => destination.status === "listed",
    });
    if (isListed) listed.add(id);
  }
  return listed;
}

const emptyTally = (): Tally => ({ added: 0, changed: 0, unchanged: 0 });

function rejectionMessage(flightId: string, { code, facts = {} }: Rejection): string {
  return `flight ${flightId} was not imported: ${code === "flight_plan_fixed" ? whyFixed(facts) : `its plan is not consistent: ${JSON.stringify(facts)}`}`;
}

function whyFixed({ disruptionId }: NonNullable<Rejection["facts"]>): string {
  return disruptionId === undefined
    ? "its seats or times differ from the flight that is already on sale, and those are fixed"
    : `its times are those from before disruption ${disruptionId}`;
}

/** Starts the items in the order of the file, so that lists by creation have the same order. */
async function inBatches<Item>(items: readonly Item[], each: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    await Promise.all(items.slice(start, start + CONCURRENCY).map(each));
  }
}
