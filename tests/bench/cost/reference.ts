import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import { bookingRequest } from "../data/booking-request.ts";
import type { RequestTemplate } from "../load/job.ts";
import type { Measured, Meter } from "./meter.ts";

/** In each round. */
const OPERATIONS = 10_000;

/** What both sides of a round have in common. */
export type OfRound<Value> = (round: number) => Promise<Value>;

/** Measured when a round asks for it first. Each row has its own rounds. */
export function oncePerRound<Value>(measure: () => Promise<Value>): OfRound<Value> {
  let last: { readonly round: number; readonly value: Promise<Value> } | undefined;
  return (round) => {
    if (last?.round !== round) last = { round, value: measure() };
    return last.value;
  };
}

/** CPU of one operation, in microseconds. */
export function cpuOfRound(meter: Meter, server: Measured): OfRound<number> {
  return oncePerRound(async () => (await meter.cpuOf(server)).each);
}

/** A bare server that gets the same request again and again, warm. `script` is a file in `references`. */
export async function startReference(
  { atEnd }: Bench,
  meter: Meter,
  script: string,
  task: object,
  request: RequestTemplate,
  expectedStatus: number,
): Promise<Measured> {
  const child = new Child<object, number>(new URL(`../references/${script}.ts`, import.meta.url));
  atEnd(() => child.stop());
  const server: Measured = {
    pid: child.pid,
    port: await child.run(task),
    operations: OPERATIONS,
    expectedStatus,
    requests: () => [request],
    idle: async () => {},
  };
  await meter.warmUp(server);
  return server;
}

/** Reference (c). */
export function startValidatedPost(bench: Bench, meter: Meter): Promise<Measured> {
  const request: RequestTemplate = {
    method: "POST",
    path: "/bookings",
    headers: { "x-api-key": "bench-key" },
    body: bookingRequest("bench-flight-000"),
  };
  return startReference(bench, meter, "validated-post", {}, request, 201);
}
