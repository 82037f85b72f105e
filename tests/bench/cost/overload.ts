import { bookings } from "./commands.ts";
import { WARM_UP } from "./meter.ts";
import type { Row } from "./row.ts";
import type { Side } from "./side.ts";

const CAPACITY_OPERATIONS = 20_000;
const SECONDS = 5;
/** More than the service handles at once. */
const CONNECTIONS = 2_500;

/** Twice as many bookings a second as the service is capable of: it refuses with 503 what is too much. */
export async function overload(side: Side): Promise<Row> {
  const booked = bookings(side, await side.start());
  await side.meter.send(booked, WARM_UP);
  const { perSecond: capacity } = (await side.meter.send(booked, CAPACITY_OPERATIONS)).report;
  const perSecond = Math.floor(capacity * 2);
  return {
    once: true,
    async measure() {
      const { report } = await side.meter.send(booked, perSecond * SECONDS, {
        seconds: SECONDS,
        pace: { kind: "open", perSecond },
        connections: CONNECTIONS,
        toleratedStatus: 503,
      });
      return { goodput: (report.statuses[201] ?? 0) / report.seconds, refused: report.statuses[503] ?? 0 };
    },
    figures: (rounds: readonly { readonly goodput: number; readonly refused: number }[]) =>
      rounds.map(({ goodput, refused }) => {
        const detail = `${goodput.toFixed(0)} ÷ ${capacity.toFixed(0)} bookings/s, ${refused} refused`;
        return { goal: "overload", value: goodput / capacity, detail };
      }),
  };
}
