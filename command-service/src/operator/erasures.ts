import type { Rejection } from "@travel-booking/domain";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { z } from "zod";
import { TOO_LARGE } from "../command-handling/command.ts";
import { countWords, readAll } from "../command-handling/sealed-event-store.ts";
import { ERASABLE, type Erasures } from "../erasures/erasures.ts";
import type { Retention } from "../erasures/retention.ts";
import { type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const partOfBooking = z
  .strictObject({
    passenger: z.int().min(0).optional(),
    name: z.string().max(200).optional(),
    documents: z.literal(true).optional(),
  })
  .refine(({ passenger, name }) => name === undefined || passenger !== undefined, {
    path: ["name"],
    message: "goes with passenger",
  })
  .refine(({ passenger, documents }) => passenger === undefined || documents === undefined, {
    path: ["documents"],
    message: "goes without passenger",
  });

/** `passenger erase`, `booking erase`, `account erase`, `erasures export`, `privacy report`, `seal`. */
export function erasureRoutes(
  services: OperatorServices,
  erasures: Erasures,
  retention: Pick<Retention, "report">,
): readonly OperatorRoute[] {
  const erasing = ERASABLE.map(
    (kind): OperatorRoute =>
      operatorRoute("POST", `/operator/${kind}s/:id/erase`, async (request) => {
        const id = request.params.id ?? "";
        const { name, ...part } = kind === "booking" ? parse(partOfBooking, request.body) : {};
        const erasure = { kind, id, ...part };
        const outcome = await erasures.erase(erasure, operatorContext(request), name);
        if ("code" in outcome) throw refusedErasure(kind, outcome);
        await services.waitUntilProjected(outcome.position);
        const { erasedAt, ...report } = outcome.report;
        return { ...report, erasedAt: new Date(erasedAt).toISOString() };
      }),
  );
  return [
    ...erasing,
    operatorRoute("GET", "/operator/privacy", async () => {
      await services.waitUntilProjected(await services.store.head());
      return { data: await retention.report() };
    }),
    operatorRoute("GET", "/operator/seal", () => countWords(readAll(services.store.asStored))),
    operatorRoute("GET", "/operator/erasures", async () => {
      const data = (await erasures.list()).map(({ erasedAt, whom: _, ...erasure }) => ({
        ...erasure,
        erasedAt: erasedAt === null ? null : new Date(erasedAt).toISOString(),
      }));
      return { data };
    }),
  ];
}

/** Why something is not erased. */
export function refusedErasure(kind: string, { code }: Rejection): OperatorError {
  if (code === "passenger_not_found") return new OperatorError(404, "passenger: the booking has no such passenger");
  if (code === "passenger_differs")
    return new OperatorError(409, "name: the passenger at this place has another one by now; nobody is forgotten");
  if (code === TOO_LARGE)
    return new OperatorError(
      409,
      "what would be left of the others is too large for one event: erase the whole booking",
    );
  if (code !== "booking_not_over") return new OperatorError(404, `no ${kind} with this id`);
  return new OperatorError(409, "the journey is still to come: cancel the booking first");
}
