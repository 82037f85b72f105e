import { bookings } from "./commands.ts";
import { WARM_UP } from "./meter.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

const BOOKINGS = 1_000;

/** Of one booking, in milliseconds. */
interface Round {
  readonly wall: number;
  readonly cpu: number;
}

/** Bookings one after another: what one takes where nothing is shared with others. */
export async function oneConnection(side: Side): Promise<Row> {
  const booked = bookings(side, await side.start());
  await side.meter.send(booked, WARM_UP);
  return {
    async measure(): Promise<Round> {
      const { cpu, report } = await side.meter.send(booked, BOOKINGS, { connections: 1 });
      return { wall: report.latency.p50, cpu: (cpu / BOOKINGS) * 1_000 };
    },
    figures: (rounds: readonly Round[]) => [
      { goal: "one-wall", value: least(rounds, "wall"), detail: "median of a round, the least of all" },
      { goal: "one-cpu", value: least(rounds, "cpu"), detail: "" },
    ],
  };
}
