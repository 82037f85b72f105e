interface Flight {
  readonly id: string;
  readonly fares: readonly { readonly cabin: string; readonly seatsLeft: number }[];
}

interface Booking {
  readonly flightId: string;
  readonly cabin: string;
  readonly status: string;
  readonly passengers: readonly unknown[];
}

/**
 * Seats that are neither free nor somebody's, or (below zero) are both, by flight and cabin, while there are no holds.
 * @param capacities seats for sale by cabin, the same on every flight; other cabins are not counted.
 */
export function seatsAstray(
  flights: readonly Flight[],
  capacities: Readonly<Record<string, number>>,
  bookings: readonly Booking[],
): ReadonlyMap<string, number> {
  const booked = new Map<string, number>();
  for (const { flightId, cabin, status, passengers } of bookings) {
    const place = `${flightId} ${cabin}`;
    if (status !== "cancelled") booked.set(place, (booked.get(place) ?? 0) + passengers.length);
  }
  const astray = new Map<string, number>();
  for (const { id, fares } of flights) {
    for (const [cabin, capacity] of Object.entries(capacities)) {
      const left = fares.find((fare) => fare.cabin === cabin)?.seatsLeft ?? Number.NaN;
      const difference = capacity - left - (booked.get(`${id} ${cabin}`) ?? 0);
      if (difference !== 0) astray.set(`${id} ${cabin}`, difference);
    }
  }
  return astray;
}
