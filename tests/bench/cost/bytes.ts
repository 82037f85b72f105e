import { join } from "node:path";
import { runOnce } from "../children/child.ts";
import type { Bytes, BytesTask, EnvironmentBytes } from "../store/measure-bytes.ts";
import { payments } from "./commands.ts";
import type { CostFigure } from "./goals.ts";
import type { Row } from "./row.ts";
import type { Side } from "./side.ts";

const BOOKINGS = 10_000;
const SCRIPT = new URL("../store/measure-bytes.ts", import.meta.url);

interface Sizes {
  readonly read: Bytes;
  readonly log: Bytes;
  readonly state: Bytes;
}

interface Round {
  readonly before: Sizes;
  readonly between: Sizes;
  readonly after: Sizes;
}

/** What is stored of a booking, and of its payment. The log's environment has the state store, too. */
export async function bytes(side: Side): Promise<Row> {
  const started = await side.start();
  const paying = payments(side, started);
  return {
    once: true,
    async measure() {
      const sizes = () => measure(started.folder);
      const before = await sizes();
      let between = before;
      const requests = async (count: number) => {
        const messages = await paying.requests(count);
        between = await sizes();
        return messages;
      };
      await side.meter.send({ ...paying, requests }, BOOKINGS);
      return { before, between, after: await sizes() };
    },
    figures: (rounds: readonly Round[]) => rounds.flatMap(figuresOf),
  };
}

function figuresOf({ before, between, after }: Round): readonly CostFigure[] {
  const each = (of: keyof Bytes, from: Bytes, to: Bytes) => Math.round((to[of] - from[of]) / BOOKINGS);
  const figure = (goal: CostFigure["goal"], from: Bytes, to: Bytes, more = ""): CostFigure => {
    const detail = `used pages; keys and values ${each("payload", from, to)} B${more}`;
    return { goal, value: each("pages", from, to), detail };
  };
  const booking = `, ${each("payload", before.log, between.log)} B of them the booking's`;
  const state = `; state ${each("payload", before.state, after.state)} B`;
  return [
    figure("bytes-booking", before.read, between.read),
    figure("bytes-payment", between.read, after.read),
    figure("bytes-log", before.log, after.log, booking + state),
  ];
}

async function measure(folder: string): Promise<Sizes> {
  const stored = (name: string) => runOnce<BytesTask, EnvironmentBytes>(SCRIPT, { folder: join(folder, name) });
  const log = Object.entries((await stored("log")).databases);
  const read = await stored("read");
  const isState = ([name]: readonly [string, Bytes]) => name.startsWith("state");
  return {
    read: { ...sum(Object.values(read.databases)), pages: read.used },
    log: sum(log.filter((entry) => !isState(entry)).map(([, each]) => each)),
    state: sum(log.filter(isState).map(([, each]) => each)),
  };
}

function sum(all: readonly Bytes[]): Bytes {
  return all.reduce((total, { payload, pages }) => ({ payload: total.payload + payload, pages: total.pages + pages }), {
    payload: 0,
    pages: 0,
  });
}
