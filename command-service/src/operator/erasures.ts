import type { Rejection } from "@travel-booking/domain";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { countWords, readAll } from "../command-handling/sealed-event-store.ts";
import { ERASABLE, Erasures } from "../erasures/erasures.ts";
import { type OperatorServices, operatorContext } from "./operator-services.ts";

/** `passenger erase`, `booking erase`, `account erase`, `erasures export`, `seal`. */
export function erasureRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const erasures = new Erasures(services);
  const erasing = ERASABLE.map(
    (kind): OperatorRoute =>
      operatorRoute("POST", `/operator/${kind}s/:id/erase`, async (request) => {
        const id = request.params.id ?? "";
        const outcome = await erasures.erase({ kind, id }, operatorContext(request));
        if ("code" in outcome) throw refusal(kind, outcome);
        await services.waitUntilProjected(outcome.position);
        const { erasedAt, ...report } = outcome.report;
        return { ...report, erasedAt: new Date(erasedAt).toISOString() };
      }),
  );
  return [
    ...erasing,
    operatorRoute("GET", "/operator/seal", () => countWords(readAll(services.store.asStored))),
    operatorRoute("GET", "/operator/erasures", async () => {
      const data = (await erasures.list()).map(({ kind, id, erasedAt }) => ({
        kind,
        id,
        erasedAt: erasedAt === null ? null : new Date(erasedAt).toISOString(),
      }));
      return { data };
    }),
  ];
}

function refusal(kind: string, { code }: Rejection): OperatorError {
  if (code !== "booking_not_over") return new OperatorError(404, `no ${kind} with this id`);
  return new OperatorError(409, "the journey is still to come: cancel the booking first");
}
