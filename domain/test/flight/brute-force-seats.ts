import {
  type CabinPlan,
  evolveOccupancy,
  type FlightPlan,
  Occupancy,
  type PassengerSeatPreferences,
} from "../../src/index.ts";
import { allocated, economy, NOW, plan } from "./sample-flight.ts";

export interface CabinAbout {
  readonly layout: string;
  readonly rows: readonly [number, number];
  readonly exitRows?: readonly number[];
  readonly cryosleepRows?: readonly number[];
  readonly accessible?: readonly string[];
  readonly blocked?: readonly string[];
  readonly durationDays?: number;
}

export function planOf({ durationDays = 480, ...cabin }: CabinAbout): FlightPlan {
  const bare = { exitRows: [], cryosleepRows: [], accessible: [], blocked: [], surcharges: [] };
  return { ...plan, durationDays, cabins: [{ ...economy, ...bare, ...cabin }] };
}

/** A flight with one cabin, in which these seats belong to somebody else. */
export function cabinWith(about: CabinAbout, taken: readonly string[] = []): Occupancy {
  const occupancy = new Occupancy(planOf(about));
  for (const [index, seat] of taken.entries()) {
    const event = allocated(`bkg_${index}`, { seats: [seat] }, NOW);
    if (event.type === "SeatsAllocated") evolveOccupancy(occupancy, event);
  }
  return occupancy;
}

/** How a seating of a party looks, the worst thing first; compared from the left, less is better. */
type Score = readonly [rows: number, groups: number, gaps: number, noPod: number, otherSeat: number, kept: number];

interface SeatPosition {
  readonly row: number;
  /** Place in the layout's text, aisles counted. */
  readonly at: number;
}

/** Shares nothing with the rule: seats are read off the layout's text. */
function positionOf({ layout }: CabinPlan, seat: string): SeatPosition {
  return { row: Number.parseInt(seat, 10), at: layout.indexOf(seat.slice(-1)) };
}

function kindsOf({ layout }: CabinPlan, { at }: SeatPosition): readonly string[] {
  const isEnd = at === 0 || at === layout.length - 1;
  const isAisle = layout[at - 1] === " " || layout[at + 1] === " ";
  if (!isEnd && !isAisle) return ["middle"];
  return [...(isEnd ? ["window"] : []), ...(isAisle ? ["aisle"] : [])];
}

export function scoreOf(
  plan: CabinPlan,
  durationDays: number,
  seats: readonly string[],
  wishes: readonly PassengerSeatPreferences[],
): Score {
  const spots = seats.map((seat) => positionOf(plan, seat));
  const rows = spots.map(({ row }) => row);
  const sorted = [...spots].sort((one, other) => one.row - other.row || one.at - other.at);
  let groups = sorted.length === 0 ? 0 : 1;
  let gaps = 0;
  for (const [index, spot] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined) break;
    if (next.row !== spot.row) groups += 1;
    else {
      const between = plan.layout.slice(spot.at + 1, next.at);
      if (between !== "") groups += 1;
      gaps += between.replaceAll(" ", "").length;
    }
  }
  const wantsPod = ({ cryosleep }: PassengerSeatPreferences) => cryosleep && durationDays > 365;
  const count = (test: (spot: SeatPosition, seat: string, wish: PassengerSeatPreferences) => boolean) =>
    spots.filter((spot, index) => test(spot, seats[index] as string, wishes[index] as PassengerSeatPreferences)).length;
  const isPod = ({ row }: SeatPosition) => plan.cryosleepRows.includes(row);
  return [
    Math.max(...rows) - Math.min(...rows),
    groups,
    gaps,
    count((spot, _, wish) => wantsPod(wish) && !isPod(spot)),
    count((spot, _, wish) => wish.seat !== "any" && !kindsOf(plan, spot).includes(wish.seat)),
    count(
      (spot, seat, wish) =>
        plan.exitRows.includes(spot.row) || plan.accessible.includes(seat) || (isPod(spot) && !wantsPod(wish)),
    ),
  ];
}

function isLess(one: Score, other: Score): boolean {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place >= 0 && (one[place] as number) < (other[place] as number);
}

/** The best there is, by trying every seating of every party. */
export function bruteForceBestSeats(
  plan: CabinPlan,
  durationDays: number,
  free: readonly string[],
  wishes: readonly PassengerSeatPreferences[],
): Score | undefined {
  let best: Score | undefined;
  const seats: string[] = [];
  const seat = (): void => {
    if (seats.length === wishes.length) {
      const score = scoreOf(plan, durationDays, seats, wishes);
      if (best === undefined || isLess(score, best)) best = score;
      return;
    }
    for (const one of free) {
      if (seats.includes(one)) continue;
      seats.push(one);
      seat();
      seats.pop();
    }
  };
  seat();
  return best;
}
