import { type CatalogueFile, catalogueFile, toFlightPlan } from "@travel-booking/api-contract";
import { destinationDecider, flightDecider, type Rejection } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute } from "@travel-booking/http/operator";
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

/** What the import did. */
export interface ImportReport {
  readonly destinations: Tally;
  readonly flights: Tally;
}

/** `catalogue import`. Importing twice changes nothing; what is refused is named, and the rest is imported. */
export function catalogueRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    {
      method: "POST",
      path: "/operator/catalogue",
      handle: async (request) => ({ status: 200, body: await importCatalogue(services, request) }),
    },
  ];
}

/** @throws OperatorError 400 for a file that is not one, 409 naming the flights that were refused. */
export async function importCatalogue(services: OperatorServices, request: OperatorRequest): Promise<ImportReport> {
  const file = parse(catalogueFile, request.body);
  const report = { destinations: emptyTally(), flights: emptyTally() };
  const refusals: string[] = [];
  let last = 0n;
  const count = (tally: Tally, types: readonly string[], position: bigint) => {
    const [first] = types;
    if (first === undefined) tally.unchanged += 1;
    else if (first === "DestinationListed" || first === "FlightScheduled") tally.added += 1;
    else tally.changed += 1;
    last = latestPosition(last, position);
  };
  await inBatches(file.destinations, async (destination) => {
    const outcome = await services.handler.execute({
      stream: destinationStream(destination.id),
      decider: destinationDecider,
      command: { type: "ListDestination", destination },
      context: operatorContext(services, request),
      reply: (_state, events) => events.map((event) => event.type),
    });
    if (outcome.accepted) count(report.destinations, outcome.reply, outcome.position);
  });
  const destinations = await listedDestinations(services, file);
  await inBatches(file.flights, async (flight) => {
    if (!destinations.has(flight.destinationId)) {
      refusals.push(`flight ${flight.id} was not imported: there is no destination ${flight.destinationId}`);
      return;
    }
    const outcome = await services.handler.execute({
      stream: flightStream(flight.id),
      decider: flightDecider,
      command: { type: "ScheduleFlight", plan: toFlightPlan(flight) },
      context: operatorContext(services, request),
      reply: (_state, events) => events.map((event) => event.type),
    });
    if (outcome.accepted) count(report.flights, outcome.reply, outcome.position);
    else refusals.push(rejectionMessage(flight.id, outcome.rejection));
  });
  await services.waitUntilProjected(last);
  if (refusals.length > 0) throw new OperatorError(409, ...refusals);
  return report;
}

/** The destinations of the file's flights that the catalogue has, from this file or an earlier one. */
async function listedDestinations(
  { handler }: OperatorServices,
  { flights }: CatalogueFile,
): Promise<ReadonlySet<string>> {
  const listed = new Set<string>();
  for (const id of new Set(flights.map((flight) => flight.destinationId))) {
    const isListed = await handler.readState({
      stream: destinationStream(id),
      decider: destinationDecider,
      reply: (destination) => destination.status === "listed",
    });
    if (isListed) listed.add(id);
  }
  return listed;
}

const emptyTally = (): Tally => ({ added: 0, changed: 0, unchanged: 0 });

function rejectionMessage(flightId: string, rejection: Rejection): string {
  const why =
    rejection.code === "flight_plan_fixed"
      ? "its seats or times differ from the flight that is already on sale, and those are fixed"
      : `its plan is not consistent: ${JSON.stringify(rejection.facts ?? {})}`;
  return `flight ${flightId} was not imported: ${why}`;
}

/** Starts them in the order of the file, so that lists by creation follow it. */
async function inBatches<Item>(items: readonly Item[], each: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    await Promise.all(items.slice(start, start + CONCURRENCY).map(each));
  }
}
