import { posts } from "./commands.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";
import { cpuByThread } from "./process-figures.ts";

const PARTIES = 20;
/** Passengers of each, with names of so many different Han characters: no party needs more fonts. */
const PARTY = 9;
const NAME = 200;
/** Between two of them, so that they come from as many files as can be. */
const STEP = 11;

const passengers = Array.from({ length: PARTY }, (_, passenger) => ({
  name: String.fromCodePoint(...Array.from({ length: NAME }, (_, index) => 0x4e00 + (passenger * NAME + index) * STEP)),
  email: `passenger-${passenger}@example.com`,
}));

/** What a PDF of nine takes of the thread that answers requests: drawn, and of what is kept. */
export function pass(cost: CostBench): Promise<readonly CostFigure[]> {
  return cost.withService(async (service, operations) => {
    const parties = operations.book(PARTIES, cost.store.contents.unsold).map((request) => {
      return { ...request, body: JSON.stringify({ ...JSON.parse(String(request.body)), passengers }) };
    });
    const { report } = await cost.send(
      posts(service, () => parties),
      PARTIES,
      { keepIds: true },
    );
    const payments = operations.pay(report.ids);
    await cost.send(
      posts(service, () => payments),
      PARTIES,
    );
    // One after another: answers of megabytes are more than the load generator takes.
    const millisecondsOf = async (format: string) => {
      const before = cpuByThread(service.pid).MainThread ?? 0;
      for (const [index, id] of report.ids.entries()) {
        const headers = { ...payments[index]?.headers };
        const url = `http://127.0.0.1:${service.port}/v1/bookings/${id}/boarding-pass?format=${format}`;
        let response: Response;
        do {
          response = await fetch(url, { headers });
          await response.arrayBuffer();
          // Where the machine is too busy for the first one, it is kept for the next try.
        } while (response.status === 503);
        if (response.status !== 200) throw new Error(`a boarding pass was answered with ${response.status}`);
      }
      return (((cpuByThread(service.pid).MainThread ?? 0) - before) / PARTIES) * 1_000;
    };
    // Seats are assigned with the first of any kind.
    const data = await millisecondsOf("json");
    const drawn = await millisecondsOf("pdf");
    const kept = await millisecondsOf("pdf");
    const detail = `data ${data.toFixed(1)}, kept ${kept.toFixed(1)} ms`;
    return [{ goal: "pass", value: drawn, detail }];
  });
}
