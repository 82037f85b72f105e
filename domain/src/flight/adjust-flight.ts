import { accept, reject } from "../shared/decision.ts";
import { seatsLeft } from "./availability.ts";
import type { FlightHandlers } from "./commands.ts";
import { cabinOfSeat, unavailableSeats } from "./seat-rules.ts";

/** What operators change of a flight on sale (docs/rules.md#seats-and-fares-that-operators-change). */
export const adjustingHandlers = {
  ChangeFare({ cabin, amount }, { occupancy }, at) {
    const planned = occupancy.plan.cabins.find((each) => each.cabin === cabin);
    if (planned === undefined) return reject("cabin_not_on_flight", { cabin });
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    return planned.amount === amount ? accept() : accept({ type: "FareChanged", at, data: { cabin, amount } });
  },

  /** Blocks a seat that nobody has and nobody is owed; a blocked one stays so. */
  BlockSeat({ seat, reason }, { occupancy }, at) {
    const cabin = cabinOfSeat(occupancy, seat);
    if (cabin === undefined) return reject("seat_unknown", { seats: [seat] });
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    if (occupancy.isBlocked(cabin, seat)) return accept();
    const rejection = unavailableSeats(occupancy, [seat], cabin, { holdId: null, bookingId: null }, at);
    if (rejection !== undefined) return { events: [], rejection };
    if (seatsLeft(occupancy, cabin, at) < 1) return reject("seats_owed", { seats: [seat] });
    return accept({ type: "SeatBlocked", at, data: { cabin, seat, reason } });
  },

  /** Gives back a seat that an operator has blocked; others stay as the plan has them. */
  UnblockSeat({ seat }, { occupancy }, at) {
    const cabin = cabinOfSeat(occupancy, seat);
    if (cabin === undefined) return reject("seat_unknown", { seats: [seat] });
    if (occupancy.blocked.has(seat)) return accept({ type: "SeatUnblocked", at, data: { cabin, seat } });
    return occupancy.isBlocked(cabin, seat) ? reject("seat_blocked", { seats: [seat] }) : accept();
  },
} satisfies Partial<FlightHandlers>;
