import { setTimeout } from "node:timers/promises";
import type { RequestTemplate } from "../load/job.ts";
import type { Service } from "../service/service.ts";
import { posts } from "./commands.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

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

const LONGEST_TURN = new URL("../service/longest-turn.js", import.meta.url).href;

/** The longest turn, in milliseconds. */
interface Round {
  readonly data: number;
  readonly drawn: number;
  readonly kept: number;
}

/** How long a PDF of nine keeps the thread that answers requests to itself at most: drawn, and of what is kept. */
export async function pass(side: Side): Promise<Row> {
  const { service, operations } = await side.start({ NODE_OPTIONS: `--import=${LONGEST_TURN}` });
  const sendAll = async (requests: readonly RequestTemplate[]) => {
    const server = posts(service, () => requests);
    return (await side.meter.send(server, PARTIES, { keepIds: true })).report.ids;
  };
  return {
    async measure(): Promise<Round> {
      const parties = operations.book(PARTIES, side.store.contents.unsold).map((request) => {
        return { ...request, body: JSON.stringify({ ...JSON.parse(String(request.body)), passengers }) };
      });
      const ids = await sendAll(parties);
      await sendAll(operations.pay(ids));
      const read = (format: string) =>
        ids.map((id, index) => ({
          url: `http://127.0.0.1:${service.port}/v1/bookings/${id}/boarding-pass?format=${format}`,
          headers: parties[index]?.headers ?? {},
        }));
      // Seats are assigned with the first of any kind.
      const data = await longestTurn(service, read("json"));
      const drawn = await longestTurn(service, read("pdf"));
      return { data, drawn, kept: await longestTurn(service, read("pdf")) };
    },
    figures(rounds: readonly Round[]) {
      const [cold] = rounds;
      const warm = `data ${least(rounds, "data").toFixed(1)}, kept ${least(rounds, "kept").toFixed(1)} ms`;
      const first = `cold: data ${cold?.data.toFixed(1)}, drawn ${cold?.drawn.toFixed(1)} ms`;
      return [{ goal: "pass", value: least(rounds, "drawn"), detail: `${warm}; ${first}` }];
    },
  };
}

interface Read {
  readonly url: string;
  readonly headers: RequestTemplate["headers"];
}

/** Of the thread that answers. One after another: answers of megabytes are more than the load generator takes. */
async function longestTurn(service: Pick<Service, "pid" | "stdout">, reads: readonly Read[]): Promise<number> {
  await turnSinceLast(service);
  for (const { url, headers } of reads) {
    let response: Response;
    do {
      response = await fetch(url, { headers });
      await response.arrayBuffer();
      // Where the machine is too busy for the first one, it is kept for the next try.
    } while (response.status === 503);
    if (response.status !== 200) throw new Error(`a boarding pass was answered with ${response.status}`);
  }
  return turnSinceLast(service);
}

async function turnSinceLast(service: Pick<Service, "pid" | "stdout">): Promise<number> {
  const written = service.stdout.length;
  process.kill(service.pid, "SIGUSR2");
  for (;;) {
    const line = /longest turn ([\d.]+) ms\n/.exec(service.stdout.slice(written));
    if (line !== null) return Number(line[1]);
    await setTimeout(5);
  }
}
