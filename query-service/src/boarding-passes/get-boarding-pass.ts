import {
  type BoardingPassesBody,
  type BoardingPassFormat,
  type BoardingPassQuery,
  getBoardingPassOperation,
} from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, Route } from "@travel-booking/http";
import { BOOKINGS, DESTINATIONS, FLIGHTS, LOYALTY, PASSENGERS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { bookingForBoarding, bookingWithSeats } from "./booking-with-seats.ts";
import type { BoardingPassDependencies } from "./dependencies.ts";
import { readPasses } from "./read-passes.ts";

const TYPES: Readonly<Record<BoardingPassFormat, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  json: "application/json; charset=utf-8",
};

/**
 * `GET /v1/bookings/{id}/boarding-pass`. The first one that is asked for gives a booking without seats its seats; a HEAD
 * decides nothing and draws nothing.
 */
export function getBoardingPass(dependencies: QueryDependencies): Route {
  return {
    operation: getBoardingPassOperation,
    reads: [BOOKINGS, FLIGHTS, DESTINATIONS, PASSENGERS, LOYALTY].map(({ projection }) => projection),
    async handler(request: ApiRequest<BoardingPassQuery>) {
      const accountId = accountOf(request);
      const bookingId = request.params.id ?? "";
      const { format, passenger } = request.query;
      if (request.raw.request.method === "HEAD") {
        const found = await bookingForBoarding(dependencies, accountId, bookingId, passenger);
        if ("refusal" in found) return found.refusal;
        return { status: 200, json: null, headers: headersOf(format, bookingId, passenger) };
      }
      const credentialId = request.caller?.credentialId ?? "";
      const found = await bookingWithSeats(dependencies, { accountId, credentialId }, bookingId, passenger);
      if ("refusal" in found) return found.refusal;
      const passes = await readPasses(dependencies.models, found.booking, passenger);
      return passResponse(dependencies.boardingPasses, format, passes, passenger, request);
    },
  };
}

async function passResponse(
  { printer }: BoardingPassDependencies,
  format: BoardingPassFormat,
  passes: BoardingPassesBody,
  passenger: number | undefined,
  request: ApiRequest,
): Promise<ApiResponse> {
  const headers = headersOf(format, passes.bookingId, passenger);
  switch (format) {
    case "json":
      return { status: 200, json: JSON.stringify(passes) };
    case "png":
      return { status: 200, json: await printer.png(passes), headers };
    case "pdf":
      // It waits for its turn and for the browser, which works in a process of its own.
      return { status: 200, json: await request.waitUncounted(printer.pdf(passes)), headers };
  }
}

/** The name a file is to be saved as is made of the id alone, which is plain. */
function headersOf(format: BoardingPassFormat, bookingId: string, passenger: number | undefined) {
  const type = { "Content-Type": TYPES[format] };
  if (format === "json") return type;
  const name = ["boarding-pass", bookingId, ...(passenger === undefined ? [] : [passenger + 1])].join("-");
  return { ...type, "Content-Disposition": `attachment; filename="${name}.${format}"` };
}
