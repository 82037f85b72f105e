import { flightBody } from "@travel-booking/api-contract/bodies";
import {
  type ActiveHold,
  type Cabin,
  type CabinCapacity,
  type FlightPlan,
  type Instant,
  type RecordedSeats,
  type Sale,
  type SeatHold,
  seatIndex,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { FLIGHTS } from "./flights.ts";

/** What a seat's character in `StoredCabin.seats` says. Holds are not among it. */
export const SEAT_CHARACTER = { free: ".", booked: "b", blocked: "x" } as const;

export interface StoredCabin extends CabinCapacity {
  /** One character per seat, row by row from left to right. */
  readonly seats: string;
}

/** The seats of a flight as its document holds them. */
export interface StoredSeats {
  /** In the order of the plan. */
  readonly cabins: readonly StoredCabin[];
  /** The holds whose end is not recorded, by expiry, as `holdEntry` makes them. */
  readonly holds: string;
  /** Absent: open. */
  readonly sale?: Sale;
  /** The `eventSortKey` of the last time; absent: it goes at the times at which it was scheduled. */
  readonly retimed?: string;
}

/** What a hold is to the seats of its flight. */
type HeldSeats = Pick<ActiveHold, "cabin" | "seats" | "expiresAt">;

/** A hold in its own document, under its id, with its recorded status. */
export type StoredHold = HeldSeats & Pick<SeatHold, "accountId" | "status"> & { readonly flightId: string };

/** A hold in `StoredSeats.holds`. No two holds on a flight have the same: a seat is held again only after the expiry. */
export function holdEntry({ expiresAt, cabin, seats }: HeldSeats): string {
  return `${expiresAt} ${cabin} ${seats.join(" ")};`;
}

function holdsIn({ holds }: StoredSeats): readonly HeldSeats[] {
  return holds
    .split(";")
    .slice(0, -1)
    .map((entry) => {
      const [expiresAt, cabin, ...seats] = entry.split(" ");
      return { expiresAt: Number(expiresAt), cabin: cabin as Cabin, seats };
    });
}

/** When the next hold expires, which changes availability without an event; null: never. */
export function nextExpiry({ holds }: StoredSeats): Instant | null {
  return holds === "" ? null : Number.parseInt(holds, 10);
}

/** The stored seats of a flight, as the rules of the domain read them. */
export class FlightSeats implements RecordedSeats {
  readonly plan: FlightPlan;
  readonly #stored: StoredSeats;
  #heldUntil: ReadonlyMap<string, Instant> | undefined;

  constructor(plan: FlightPlan, stored: StoredSeats) {
    this.plan = plan;
    this.#stored = stored;
  }

  get sale(): Sale {
    return this.#stored.sale ?? "open";
  }

  /** What is to be told of it beside its own shape. */
  get told(): ToldStatus | undefined {
    if (this.sale === "cancelled") return "cancelled";
    return this.#stored.retimed === undefined ? undefined : "retimed";
  }

  capacityOf(cabin: Cabin): CabinCapacity | undefined {
    return this.#stored.cabins[this.#indexOf(cabin)];
  }

  isBlocked(cabin: Cabin, seat: string): boolean {
    return this.#characterOf(cabin, seat) === SEAT_CHARACTER.blocked;
  }

  isBooked(cabin: Cabin, seat: string): boolean {
    return this.#characterOf(cabin, seat) === SEAT_CHARACTER.booked;
  }

  heldUntil(seat: string): Instant | null {
    // In the order they expire: a seat's last hold counts.
    this.#heldUntil ??= new Map(
      holdsIn(this.#stored).flatMap(({ seats, expiresAt }) => seats.map((held) => [held, expiresAt] as const)),
    );
    return this.#heldUntil.get(seat) ?? null;
  }

  expiredHolds(at: Instant): readonly HeldSeats[] {
    const next = nextExpiry(this.#stored);
    return next === null || next > at ? [] : holdsIn(this.#stored).filter(({ expiresAt }) => expiresAt <= at);
  }

  #indexOf(cabin: Cabin): number {
    return this.plan.cabins.findIndex((plan) => plan.cabin === cabin);
  }

  #characterOf(cabin: Cabin, seat: string): string | undefined {
    const index = this.#indexOf(cabin);
    const plan = this.plan.cabins[index];
    return plan && this.#stored.cabins[index]?.seats[seatIndex(plan, seat)];
  }
}

/** The seats of a flight with its plan; undefined: there is no such flight. */
export async function findFlightSeats(models: ReadModels, flightId: string): Promise<FlightSeats | undefined> {
  const seats = await models.document(FLIGHTS.flight.model, flightId);
  const plan = seats && (await models.document(FLIGHTS.plan.model, flightId));
  return plan && new FlightSeats(plan.state as FlightPlan, seats.state as StoredSeats);
}

/** The status of a flight that does not go as it was sold. */
export type ToldStatus = "cancelled" | "retimed";

/** A flight at a moment, as its document has it: its JSON, in a list behind its status where that is to be told. */
export function flightText(seats: FlightSeats, at: Instant): string {
  const json = JSON.stringify(flightBody(seats, at));
  return seats.told === undefined ? json : `["${seats.told}",${json}]`;
}

/** What `flightText` was made from. */
export function toldFlight(text: string): { readonly json: string; readonly status?: ToldStatus } {
  if (text[0] !== "[") return { json: text };
  const end = text.indexOf(",");
  return { json: text.slice(end + 1, -1), status: text.slice(2, end - 1) as ToldStatus };
}
