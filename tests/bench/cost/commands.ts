import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Child } from "../children/child.ts";
import type { StripeSettings } from "../children/stripe-double.ts";
import type { Service } from "../service/service.ts";
import type { CostGoalName } from "./goals.ts";
import { type Measured, WARM_UP } from "./meter.ts";
import { cpuOfRound, type OfRound, startReference } from "./reference.ts";
import { least, type Row } from "./row.ts";
import type { Side, Started } from "./side.ts";

const OPERATIONS = 5_000;
const FEW_OPERATIONS = 2_500;
const SET_BY_EXPRESS = new Set(["connection", "content-length", "content-type", "date", "etag", "keep-alive"]);

export function posts(service: Service, requests: Measured["requests"]): Measured {
  const { pid, port } = service;
  return { pid, port, operations: OPERATIONS, expectedStatus: 201, requests, idle: () => service.idle() };
}

/** CPU of one operation of both, in microseconds. */
interface Compared {
  readonly measured: number;
  readonly reference: number;
}

/** The least of one divided by the least of the other. */
async function compared(
  { meter, bench }: Side,
  goal: CostGoalName,
  server: Measured,
  reference: OfRound<number>,
): Promise<Row<Compared>> {
  await meter.warmUp(server);
  return {
    async measure(round) {
      const base = await reference(round);
      const { each, byThread } = await meter.cpuOf(server);
      bench.say(`${goal}, round ${round}: ${each.toFixed(1)} ÷ ${base.toFixed(1)} µs (${byThread})`);
      return { measured: each, reference: base };
    },
    figures(rounds) {
      const [measured, base] = [least(rounds, "measured"), least(rounds, "reference")];
      return [{ goal, value: measured / base, detail: `${measured.toFixed(1)} µs ÷ ${base.toFixed(1)} µs` }];
    },
  };
}

/** Where the reference is the service itself, doing something else. */
async function comparedWith(side: Side, goal: CostGoalName, server: Measured, other: Measured): Promise<Row<Compared>> {
  await side.meter.warmUp(other);
  return compared(side, goal, server, async () => (await side.meter.cpuOf(other)).each);
}

function comparedWithPost(side: Side, goal: CostGoalName, server: Measured): Promise<Row<Compared>> {
  return compared(side, goal, server, side.validatedPostCpu);
}

/** On flights that have room. */
export function bookings({ store }: Side, { service, operations }: Started): Measured {
  return posts(service, (count) => operations.book(count, store.contents.open));
}

export async function book(side: Side): Promise<Row> {
  return comparedWithPost(side, "book", bookings(side, await side.start()));
}

/** Beside a service that does not seal personal words. */
export async function sealing(side: Side): Promise<Row> {
  const withoutSealing = pathToFileURL(join(side.store.checkout, "tests/bench/service/without-sealing.ts"));
  const sealed = await side.start();
  const plain = await side.start({ NODE_OPTIONS: `--import=${withoutSealing}` });
  return comparedWith(side, "sealing", bookings(side, sealed), bookings(side, plain));
}

/** Both on the same service, after a warm-up on flights of neither kind. */
export async function bookOnFullFlights(side: Side): Promise<Row> {
  const started = await side.start();
  const { full, unsold } = side.store.contents;
  const on = (flights: readonly string[]): Measured => ({
    ...posts(started.service, (count) => started.operations.book(count, flights)),
    operations: FEW_OPERATIONS,
    warmUp: 0,
  });
  await side.meter.send(bookings(side, started), WARM_UP);
  return comparedWith(side, "full", on(full), on(unsold));
}

export async function hold(side: Side): Promise<Row> {
  const { service, operations } = await side.start();
  return comparedWithPost(
    side,
    "hold",
    posts(service, (count) => operations.hold(count)),
  );
}

/** The bookings it pays are made before each round. */
export function payments(side: Side, started: Started, token?: string): Measured {
  const booked = bookings(side, started);
  return posts(started.service, async (count) => {
    const { report } = await side.meter.send(booked, count, { keepIds: true });
    return started.operations.pay(report.ids, token);
  });
}

export async function pay(side: Side): Promise<Row> {
  return comparedWithPost(side, "pay", payments(side, await side.start()));
}

/** A double of Stripe in a process of its own, whose work does not count. */
export async function payThroughStripe(side: Side): Promise<Row> {
  const double = new Child<object, StripeSettings>(new URL("../children/stripe-double.ts", import.meta.url));
  side.bench.atEnd(() => double.stop());
  const stripe = await side.start({ PAYMENT_GATEWAY: "stripe", ...(await double.run({})) });
  const sandbox = await side.start();
  const few = { operations: FEW_OPERATIONS, warmUp: FEW_OPERATIONS };
  const paid = (started: Started, token: string): Measured => ({ ...payments(side, started, token), ...few });
  return comparedWith(side, "stripe", paid(stripe, "pm_card_visa"), paid(sandbox, "tok_visa"));
}

export async function get(side: Side): Promise<Row> {
  const { service, operations } = await side.start();
  const reads = { ...posts(service, (count) => operations.get(count)), operations: 10_000, expectedStatus: 200 };
  return comparedWithPost(side, "get", reads);
}

export async function list(side: Side): Promise<Row> {
  const { service, operations } = await side.start();
  const reads = { ...posts(service, (count) => operations.list(count)), expectedStatus: 200 };
  const [request] = operations.list(1);
  const answer = await fetch(`http://127.0.0.1:${service.port}${request?.path}`, { headers: request?.headers ?? {} });
  const body = await answer.text();
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !SET_BY_EXPRESS.has(name)));
  const same = { method: "GET", path: "/", headers: request?.headers ?? {} } as const;
  const task = { headers, list: JSON.parse(body) };
  const reference = await side.shared(async () => {
    return cpuOfRound(side.meter, await startReference(side.bench, side.meter, "same-list", task, same, 200));
  });
  const row = await compared(side, "list", reads, reference);
  const bytes = `${Buffer.byteLength(body)} bytes`;
  return {
    ...row,
    figures: (rounds: Parameters<typeof row.figures>[0]) =>
      row.figures(rounds).map(({ detail, ...figure }) => ({ ...figure, detail: `${detail}, ${bytes}` })),
  };
}
