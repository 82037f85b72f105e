import {
  type DisruptionBody,
  type DisruptionListQuery,
  disruptionBody,
  type FlightBody,
  getDisruptionOperation,
  listAlternativesOperation,
  listBookingDisruptionsOperation,
  listDisruptionsOperation,
  type PageQuery,
} from "@travel-booking/api-contract";
import { actionsOf, casesOf, type ExistingBooking, type FlightPlan, rebookable } from "@travel-booking/domain";
import { type Body, type PageRequest, parseBody } from "@travel-booking/engines/read-store";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, FLIGHTS, findCurrentBooking, findFlightSeats, type StoredCase } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { nearestFlights } from "./flights.ts";
import { onlyWanted } from "./only-wanted.ts";
import { accountOf, jsonOrNotFound, listPage, notFound } from "./reading.ts";

const { model, byAccount } = BOOKINGS.disruption;
const reads = [BOOKINGS.projection];

/** What disruptions of flights mean for the bookings of an account. */
export function disruptionRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, clock } = dependencies;
  return [
    {
      operation: listDisruptionsOperation,
      reads,
      /** Newest first. */
      handler(request: ApiRequest<DisruptionListQuery>) {
        const accountId = accountOf(request);
        const { limit: _limit, cursor: _cursor, ...filters } = request.query;
        const scope = { operationId: listDisruptionsOperation.id, accountId, filters };
        const list = { index: byAccount, partition: accountId, order: "descending" } as const;
        const read = async (range: Pick<PageRequest, "limit" | "after">) => {
          const items = await models.page(model, { ...list, ...range });
          return items.map((item) => ({ ...item, json: JSON.stringify(caseOf(accountId, item)) }));
        };
        return listPage(
          dependencies,
          scope,
          request.query,
          onlyWanted(read, ({ json }) => matches(json, filters)),
        );
      },
    },
    {
      operation: getDisruptionOperation,
      reads,
      async handler(request: ApiRequest) {
        const stored = await models.body(model, request.params.id ?? "");
        const shown = stored && caseOf(accountOf(request), stored);
        return jsonOrNotFound(shown && JSON.stringify(shown), "disruption");
      },
    },
    {
      operation: listAlternativesOperation,
      reads: [BOOKINGS.projection, FLIGHTS.projection],
      async handler(request: ApiRequest<PageQuery>) {
        const [accountId, id, now] = [accountOf(request), request.params.id ?? "", clock.now()];
        const stored = await models.body(model, id);
        const shown = stored && caseOf(accountId, stored);
        if (shown === undefined) return notFound("disruption");
        const booking = await findCurrentBooking(models, accountId, shown.bookingId, now);
        const flight = booking && (await findFlightSeats(models, booking.flightId));
        const found = booking && casesOf(booking).find(({ caseId }) => caseId === id);
        const scope = { operationId: listAlternativesOperation.id, accountId, filters: { id } };
        if (
          booking === undefined ||
          found === undefined ||
          flight === undefined ||
          !actionsOf(found).includes("rebook")
        )
          return listPage(dependencies, scope, request.query, async () => []);
        const period = rebookable(found.before.departsAt, now);
        const read = nearestFlights(dependencies, flight.plan.destinationId, period);
        return listPage(
          dependencies,
          scope,
          request.query,
          onlyWanted(read, ({ json }) => takes(JSON.parse(json), booking, flight.plan)),
        );
      },
    },
    {
      operation: listBookingDisruptionsOperation,
      reads,
      /** Oldest first. */
      async handler(request: ApiRequest) {
        const booking = await findCurrentBooking(models, accountOf(request), request.params.id ?? "", clock.now());
        if (booking === undefined) return notFound("booking");
        const data = casesOf(booking).map((each) => disruptionBody(booking.bookingId, each));
        return { status: 200, json: JSON.stringify({ data }) };
      },
    },
  ];
}

/** The case if it belongs to this account. */
function caseOf(accountId: string, body: Pick<Body, "json">): DisruptionBody | undefined {
  const [owner, , shown] = parseBody<StoredCase>(body);
  return owner === accountId ? shown : undefined;
}

/** Whether a booking may move from its flight to another one, which departs when it may. */
function takes(
  { id, from, fares }: FlightBody,
  { flightId, cabin, currency, passengers }: ExistingBooking,
  plan: Pick<FlightPlan, "from">,
): boolean {
  const fare = fares.find((each) => each.cabin === cabin);
  if (id === flightId || from !== plan.from || fare === undefined) return false;
  return fares.every((each) => each.currency === currency) && fare.seatsLeft >= passengers.length;
}

type Filters = Pick<DisruptionListQuery, "status" | "flightId">;

function matches(json: string, { status, flightId }: Filters): boolean {
  const shown = JSON.parse(json) as DisruptionBody;
  return (
    (status === undefined || shown.status === status) && (flightId === undefined || shown.before.flightId === flightId)
  );
}
