import type { BoardingPassBody, BoardingPassesBody } from "@travel-booking/api-contract";
import { barCodedBoardingPass } from "@travel-booking/domain";
import romanize from "any-ascii";

const BOOKING = "bkg_019b0000deadbeef0123456789abcdef";
const DEPARTS_AT = Date.UTC(2027, 2, 1, 0, 15);

/** One pass. Fields that are not given are Ada's. */
export function passOf(about: Partial<BoardingPassBody> = {}): BoardingPassBody {
  const pass = {
    passenger: 0,
    passengerName: "Ada Lovelace",
    flightId: "KP442-20270301",
    from: "LEO",
    destination: { id: "kepler-442b", name: "Kepler-442b" },
    departsAt: new Date(DEPARTS_AT).toISOString(),
    boardingAt: new Date(DEPARTS_AT - 45 * 60_000).toISOString(),
    cabin: "economy" as const,
    seat: "14C",
    boardingGroup: "E" as const,
    sequence: 27,
    memberNumber: null,
    documentCheck: "ok" as const,
    ...about,
  };
  const leg = {
    bookingId: BOOKING,
    passengerName: pass.passengerName,
    flightId: pass.flightId,
    from: pass.from,
    destinationId: pass.destination.id,
    departsAt: DEPARTS_AT,
    cabin: pass.cabin,
    seat: pass.seat,
    sequence: pass.sequence,
    memberNumber: pass.memberNumber,
    documentsChecked: pass.documentCheck === "ok",
  };
  // As long as a signature.
  const message = barCodedBoardingPass(leg, { romanize, sign: () => "aB3_".repeat(22).slice(0, 86) });
  return { ...pass, barcode: { format: "aztec", message } };
}

export function passesOf(...passes: readonly BoardingPassBody[]): BoardingPassesBody {
  return { bookingId: BOOKING, reference: null, passes: [...passes] };
}
