import type { OperatorClientResponse } from "./operator-caller.ts";

const DAY = 24 * 60 * 60 * 1_000;

export interface TestFlight {
  readonly id: string;
  /** Days from now. */
  readonly departsIn: number;
  readonly rows?: readonly [number, number];
}

/** Whatever has an operator interface. */
interface HasOperatorInterface {
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
}

/** A destination, as the file of a catalogue gives it. */
export const KEPLER_442B = {
  id: "kepler-442b",
  name: "Kepler-442b",
  system: "Kepler-442",
  distanceLy: 1206,
  gravity: 1.3,
  climate: "temperate",
} as const;

/** One destination, and flights with an economy cabin (layout `ABC DEF`, window seats dearer) and a business cabin. */
export async function importFlights(service: HasOperatorInterface, flights: readonly TestFlight[]): Promise<void> {
  const answer = await service.operator("POST", "/catalogue", catalogueOf(flights));
  if (answer.status !== 200) throw new Error(`the catalogue was refused: ${JSON.stringify(answer.body)}`);
}

/** The file of it. */
export function catalogueOf(flights: readonly TestFlight[]) {
  return {
    destinations: [KEPLER_442B],
    flights: flights.map(({ id, departsIn, rows = [10, 19] }) => ({
      id,
      from: "LEO",
      destinationId: KEPLER_442B.id,
      departsAt: new Date(Date.now() + departsIn * DAY).toISOString(),
      durationDays: 480,
      cabins: [
        {
          cabin: "business",
          deck: 1,
          amount: 500_000,
          currency: "USD",
          layout: "A D",
          rows: [1, 2],
        },
        {
          cabin: "economy",
          deck: 2,
          amount: 129_900,
          currency: "USD",
          layout: "ABC DEF",
          rows,
          surcharges: { window: 2_500 },
        },
      ],
    })),
  };
}
