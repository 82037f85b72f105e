import { bookings } from "./commands.ts";
import { WARM_UP } from "./meter.ts";
import type { Row } from "./row.ts";
import type { Side } from "./side.ts";

const CAPACITY_OPERATIONS = 20_000;
const SECONDS = 5;
/** Some more than a service always takes, and many more. */
const CONNECTIONS = [1_024, 2_500];

interface Overloaded {
  readonly connections: number;
  /** Bookings a second, each made within a second of the moment that its request was due at. */
  readonly goodput: number;
  readonly refused: number;
  /** Milliseconds that a refusal took, p99. */
  readonly refusedIn: number;
}

/** Twice as many bookings a second as the service is capable of: it refuses with 503 what is too much. */
export async function overload(side: Side): Promise<Row> {
  const booked = bookings(side, await side.start());
  await side.meter.send(booked, WARM_UP);
  const { perSecond: capacity } = (await side.meter.send(booked, CAPACITY_OPERATIONS)).report;
  const perSecond = Math.floor(capacity * 2);
  const sendThrough = async (connections: number): Promise<Overloaded> => {
    const { report } = await side.meter.send(booked, perSecond * SECONDS + connections, {
      seconds: SECONDS,
      pace: { kind: "open", perSecond },
      connections,
      known: true,
      toleratedStatus: 503,
    });
    const { withinSecond, statuses, tolerated } = report;
    return { connections, goodput: withinSecond / SECONDS, refused: statuses[503] ?? 0, refusedIn: tolerated.p99 };
  };
  return {
    once: true,
    async measure() {
      const each: Overloaded[] = [];
      for (const connections of CONNECTIONS) each.push(await sendThrough(connections));
      return each;
    },
    figures: ([each = []]: readonly (readonly Overloaded[])[]) => {
      const detail = each.map(
        ({ connections, goodput, refused, refusedIn }) =>
          `${connections} connections: ${goodput.toFixed(0)} ÷ ${capacity.toFixed(0)} bookings/s, ${refused} refused, p99 in ${refusedIn.toFixed(0)} ms`,
      );
      const least = Math.min(...each.map(({ goodput }) => goodput));
      return [{ goal: "overload", value: least / capacity, detail: detail.join("; ") }];
    },
  };
}
