import { flightBody, seatMapBody } from "@travel-booking/api-contract";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { findFlightSeats } from "@travel-booking/read-models";
import type { OperatorServices } from "./operator-services.ts";

/** `flight show`: a flight as clients see it, with its seat map. */
export function flightRoutes({ models, clock }: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("GET", "/operator/flights/:id", async ({ params: { id = "" } }) => {
      const seats = await findFlightSeats(models, id);
      if (seats === undefined) throw new OperatorError(404, "no flight with this id");
      const now = clock.now();
      return { ...flightBody(seats, now), seatMap: seatMapBody(seats, now).cabins };
    }),
  ];
}
