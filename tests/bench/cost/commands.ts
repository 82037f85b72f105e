import { Child } from "../children/child.ts";
import type { StripeSettings } from "../children/stripe-double.ts";
import type { RequestTemplate } from "../load/job.ts";
import type { Service } from "../service/service.ts";
import { type Compared, type CostBench, type Measured, WARM_UP } from "./cost-bench.ts";
import type { CostFigure, CostGoalName } from "./goals.ts";
import type { Operations } from "./operations.ts";

const OPERATIONS = 5_000;
const FEW_OPERATIONS = 2_500;
const SET_BY_EXPRESS = new Set(["connection", "content-length", "content-type", "date", "etag", "keep-alive"]);

export function posts(service: Service, requests: Measured["requests"]): Measured {
  const { pid, port } = service;
  return { pid, port, operations: OPERATIONS, expectedStatus: 201, requests, idle: () => service.idle() };
}

function figure(goal: CostGoalName, { ratio, measured, reference }: Compared): CostFigure {
  return { goal, value: ratio, detail: `${measured.toFixed(1)} µs ÷ ${reference.toFixed(1)} µs` };
}

export function book(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const requests = (count: number) => operations.book(count, cost.store.contents.open);
    return [figure("book", await cost.compare("book", posts(service, requests), await cost.validatedPost()))];
  });
}

const WITHOUT_SEALING = new URL("../service/without-sealing.ts", import.meta.url).href;

/** Beside a service that does not seal personal words. */
export function sealing(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService((sealed, operations) =>
    cost.withService(
      async (plain, others) => {
        const { open } = cost.store.contents;
        const on = (service: Service, requests: Operations) => posts(service, (count) => requests.book(count, open));
        return [figure("sealing", await cost.compare("sealing", on(sealed, operations), on(plain, others)))];
      },
      { NODE_OPTIONS: `--import=${WITHOUT_SEALING}` },
    ),
  );
}

/** Both on the same service, after a warm-up on flights of neither kind. */
export function bookOnFullFlights(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const { open, full, unsold } = cost.store.contents;
    const on = (flights: readonly string[]) => posts(service, (count) => operations.book(count, flights));
    await cost.send(on(open), WARM_UP);
    const rounds = { operations: FEW_OPERATIONS, warmUp: 0 };
    return [figure("full", await cost.compare("full", { ...on(full), ...rounds }, { ...on(unsold), ...rounds }))];
  });
}

export function hold(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const requests = (count: number) => operations.hold(count);
    return [figure("hold", await cost.compare("hold", posts(service, requests), await cost.validatedPost()))];
  });
}

/** Books what is paid then. */
export function payments(
  cost: CostBench,
  service: Service,
  book: (count: number) => readonly RequestTemplate[],
  pay: (ids: readonly string[]) => readonly RequestTemplate[],
): Measured {
  return posts(service, async (count) => {
    const { report } = await cost.send(posts(service, book), count, { keepIds: true });
    return pay(report.ids);
  });
}

/** The bookings it pays are made before each round. */
export function pay(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const book = (count: number) => operations.book(count, cost.store.contents.open);
    const measured = payments(cost, service, book, (ids) => operations.pay(ids));
    return [figure("pay", await cost.compare("pay", measured, await cost.validatedPost()))];
  });
}

/** A double of Stripe in a process of its own, whose work does not count. */
export async function payThroughStripe(cost: CostBench): Promise<readonly CostFigure[]> {
  const double = new Child<object, StripeSettings>(new URL("../children/stripe-double.ts", import.meta.url));
  cost.bench.atEnd(() => double.stop());
  const settings = { PAYMENT_GATEWAY: "stripe", ...(await double.run({})) };
  const paid = (service: Service, operations: Operations, token: string): Measured => {
    const book = (count: number) => operations.book(count, cost.store.contents.open);
    const measured = payments(cost, service, book, (ids) => operations.pay(ids, token));
    return { ...measured, operations: FEW_OPERATIONS, warmUp: FEW_OPERATIONS };
  };
  return cost.withService(
    (service, operations) =>
      cost.withService(async (sandbox, others) => {
        const stripe = paid(service, operations, "pm_card_visa");
        return [figure("stripe", await cost.compare("stripe", stripe, paid(sandbox, others, "tok_visa")))];
      }),
    settings,
  );
}

export function get(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const reads = { ...posts(service, (count) => operations.get(count)), operations: 10_000, expectedStatus: 200 };
    return [figure("get", await cost.compare("GET", reads, await cost.validatedPost()))];
  });
}

export function list(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const reads = { ...posts(service, (count) => operations.list(count)), expectedStatus: 200 };
    const [request] = operations.list(1);
    const answer = await fetch(`http://127.0.0.1:${service.port}${request?.path}`, { headers: request?.headers ?? {} });
    const body = await answer.text();
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !SET_BY_EXPRESS.has(name)));
    const same = { method: "GET", path: "/", headers: request?.headers ?? {} } as const;
    const reference = await cost.reference("same-list", { headers, list: JSON.parse(body) }, same, 200);
    const compared = await cost.compare("list", reads, reference);
    const { detail, ...rest } = figure("list", compared);
    return [{ ...rest, detail: `${detail}, ${Buffer.byteLength(body)} bytes` }];
  });
}
