import {
  type DisruptionBody,
  type DisruptionListQuery,
  disruptionBody,
  getDisruptionOperation,
  listBookingDisruptionsOperation,
  listDisruptionsOperation,
} from "@travel-booking/api-contract";
import { casesOf } from "@travel-booking/domain";
import { type Body, type PageRequest, parseBody } from "@travel-booking/engines/read-store";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, findCurrentBooking, type StoredCase } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
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

type Filters = Pick<DisruptionListQuery, "status" | "flightId">;

function matches(json: string, { status, flightId }: Filters): boolean {
  const shown = JSON.parse(json) as DisruptionBody;
  return (
    (status === undefined || shown.status === status) && (flightId === undefined || shown.before.flightId === flightId)
  );
}
