import { DAY, HOUR } from "@travel-booking/domain";

const SCHEDULED_DAYS = 730;

/** The first ships leave after this, so that everything the service offers can be tried on them. */
const NOTICE_DAYS = 4;

const HOURS = [6, 9, 11, 14, 17, 20, 22] as const;

/** Days between two flights to a destination: the nearer, the more often. */
function intervalDays(distanceLy: number): number {
  if (distanceLy <= 20) return 20;
  return distanceLy <= 200 ? 24 : 28;
}

/**
 * Departures to one destination over two years from the UTC day of `now`, in order. `place` tells destinations apart,
 * so that they do not all leave on one day.
 */
export function departures(now: number, distanceLy: number, place: number): number[] {
  const today = Math.floor(now / DAY);
  const interval = intervalDays(distanceLy);
  const moments: number[] = [];
  for (let day = NOTICE_DAYS + ((place * 5) % interval); day < SCHEDULED_DAYS; day += interval) {
    const hour = HOURS[(place + moments.length) % HOURS.length] ?? HOURS[0];
    moments.push((today + day) * DAY + hour * HOUR);
  }
  return moments;
}
