/** What is wrong with a request in itself, or does not fit this flight. */
export type InvalidSeatsCode =
  | "no_seats"
  | "seat_named_twice"
  | "too_many_seats"
  | "seat_unknown"
  | "seats_span_cabins"
  | "seat_in_other_cabin"
  | "seat_count_mismatch"
  | "cabin_not_on_flight"
  | "hold_cabin_mismatch"
  /** The hold is one of another flight. A flight knows its own holds only: the command side decides this one. */
  | "hold_flight_mismatch";

/** The seats exist, but cannot be had now. */
export type UnavailableSeatsCode =
  | "seat_blocked"
  | "seat_taken"
  | "seat_held"
  /** As many seats are free, but they are owed to passengers who booked without choosing one. */
  | "seats_owed"
  | "cabin_sold_out"
  | "flight_departed";

/** Every reason a flight refuses a command for. Facts: `seats`, `cabin`, `problems` and counts, as far as they apply. */
export type FlightRejectionCode =
  | InvalidSeatsCode
  | UnavailableSeatsCode
  | "flight_not_found"
  | "invalid_plan"
  | "flight_plan_fixed"
  | "hold_not_found"
  | "hold_not_active"
  | "allocation_not_found"
  | "allocation_released"
  | "seat_change_open"
  /** The booking is in the highest cabin this flight has. */
  | "no_higher_cabin"
  /** The places a party is owed are there, but taken up for a moment by others who change seats. */
  | "seats_changing"
  | "seat_change_not_found"
  | "seat_change_not_open"
  /** The id is in use for something of somebody else. */
  | "id_taken";
