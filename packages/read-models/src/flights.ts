import type { FlightBody, SeatMapBody } from "@travel-booking/api-contract";
import type {
  Cabin,
  Disruption,
  DisruptionKind,
  DisruptionPolicy,
  FlightChange,
  Instant,
  PassportCheck,
  Sale,
} from "@travel-booking/domain";

/** Projection `flights`: what is known of each flight, by its id, what is on it, and public events (`EVENT_FEEDS`). */
export const FLIGHTS = {
  projection: "flights",
  version: 8,
  /** With its fares; its state is `StoredSeats`. */
  flight: {
    model: "flights.flight",
    /** Partition `ALL_PARTITION`, sorted by `timeSortKey` of departure and id. */
    byDeparture: "byDeparture",
    /** The same, one partition per destination. */
    byDestination: "byDestination",
    /** Those that were retimed, by the `eventSortKey` of the last time: a list that began before may have missed them. */
    byRetiming: "byRetiming",
  },
  /** Its `FlightPlan` with the current fares. Apart, because it hardly ever changes. */
  plan: { model: "flights.plan" },
  /** Its state is `StoredHold`, by the hold's id. */
  hold: {
    model: "flights.hold",
    /** For quotas, until its end is recorded: one partition per account, sorted by `timeSortKey` of expiry and id. */
    byAccount: "byAccount",
  },
  /** `FlightHistory`, by the flight's id: of flights that operators have decided on. */
  history: { model: "flights.history" },
  /** Whom another ship has seated elsewhere (`Reseated`), by the disruption's id; the history leaves it out. */
  seating: { model: "flights.seating" },
  /** Body and state: `StoredDisruption`. By its id. */
  disruption: {
    model: "flights.disruption",
    /** Partition `ALL_PARTITION`, by when it was decided, then id. */
    newest: "newest",
    /** The same, of those whose sweep has not ended: bookings may be behind their flight. */
    open: "open",
  },
  /** For the projection alone: `Party` by the booking's id and the flight's, until it has nothing on that. */
  occupant: { model: "flights.occupant" },
} as const;

/** What operators have decided about a flight. */
export interface FlightHistory {
  readonly revision: number;
  readonly originalDepartsAt: Instant;
  /** What its bookings have to follow, oldest first. */
  readonly changes: readonly FlightChange[];
}

interface DecidedDisruption {
  readonly flightId: string;
  readonly kind: DisruptionKind;
  /** Of a cancellation; else null. */
  readonly policy: DisruptionPolicy | null;
  readonly reason: string | null;
  readonly revision: number;
}

/** A disruption. What bookings need to follow it is in their flight's `FlightHistory`. */
export interface StoredDisruption extends Disruption, DecidedDisruption {
  /** How many bookings had places on the flight. */
  readonly bookings: number;
  readonly at: Instant;
  /** Null: it was not taken back. */
  readonly reinstatedAt: Instant | null;
}

/** A flight as `flight show` answers: as clients see it, and what operators see besides. */
export interface FlightAnswer extends FlightBody {
  readonly sale: Sale;
  /** By cabin, in passengers; `seats` are all there are. */
  readonly load: readonly {
    readonly cabin: Cabin;
    readonly seats: number;
    readonly blocked: number;
    readonly booked: number;
    readonly held: number;
    readonly left: number;
  }[];
  /** Seats that operators have blocked, besides those of the catalogue. */
  readonly blocked: readonly { readonly seat: string; readonly reason: string | null }[];
  readonly seatMap: SeatMapBody["cabins"];
}

export interface FlightMoney {
  /** How many have places on the flight. */
  readonly bookings: number;
  /** What they have paid and not got back. Cents. */
  readonly paid: readonly { readonly currency: string; readonly amount: number }[];
}

/** A passenger as `flight manifest` lists them. */
export interface ManifestRow {
  /** The place in the order of boarding; null: no seat yet. */
  readonly sequence: number | null;
  readonly seat: string | null;
  readonly name: string;
  readonly cabin: Cabin;
  /** As the boarding pass says it. */
  readonly passport: PassportCheck["check"];
  /** Of the booking. */
  readonly status: string;
  /** On the boarding pass. */
  readonly code: string;
  readonly bookingId: string;
}

/** A disruption as `disruption list` shows it. */
export interface DisruptionRow extends Pick<Disruption, "status" | "stuck">, DecidedDisruption {
  readonly id: string;
  /** How many had places on the flight. */
  readonly bookings: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC: when the flight was reinstated. Null: it was not. */
  readonly reinstatedAt: string | null;
}

/** What a disruption means for a booking, as `disruption show` lists it. */
export interface CaseRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  /** `superseded`: another disruption has taken the case over, and money goes back because of that. */
  readonly status: string;
  readonly outcome: string | null;
  /** The flight that the booking is on instead, or may be; null: none. */
  readonly after: string | null;
  /** Cents. */
  readonly refundAmount: number;
  readonly currency: string;
  /** Of a retimed flight: as `DisruptionEvidence` has it. */
  readonly documentsByOperator: number;
}

/** As `disruption show` answers. */
export interface DisruptionAnswer extends DisruptionRow {
  /** How many bookings have followed the flight. */
  readonly followed: number;
  /** How many of them wait for an answer. */
  readonly open: number;
  /** How many have no place on another ship, and must go, or go elsewhere. */
  readonly unplaced: number;
  /** What goes back because of it. Cents. */
  readonly money: readonly { readonly currency: string; readonly amount: number }[];
  readonly cases: readonly CaseRow[];
}

/** As `disruption verify` answers: what the streams say. */
export interface DisruptionProof extends Pick<DisruptionAnswer, "id" | "bookings" | "followed" | "open"> {
  /** What goes back, money that came late and returns of transfers included, and what of it has arrived. Cents. */
  readonly money: readonly { readonly currency: string; readonly due: number; readonly paid: number }[];
  /** All that is shown otherwise, or does not add up, in words; empty: nothing. */
  readonly differences: readonly string[];
}

/** What became of a booking, as `disruption export` lists it. Times in ISO 8601, UTC. */
export interface DisruptionEvidence {
  readonly disruptionId: string;
  readonly flightId: string;
  readonly bookingId: string;
  readonly accountId: string;
  /** Of the booking. */
  readonly status: string;
  /** When its event happened; null: it has not followed, or was over by then. */
  readonly toldAt: string | null;
  /** When an endpoint first took an event that tells it; null: none, or that is not logged any more. */
  readonly deliveredAt: string | null;
  readonly offered: string | null;
  readonly chosen: string | null;
  readonly resolvedAt: string | null;
  readonly currency: string | null;
  /** Cents. */
  readonly due: number;
  readonly paid: number;
  /** How many of its documents an operator has verified, which nothing judges anew for another departure. */
  readonly documentsByOperator: number;
}

/** Money that would go back. Cents. `return`: of a transfer that is not complete. */
export interface PlannedMoney {
  readonly currency: string;
  readonly method: "card" | "wallet" | "bank_transfer" | "return";
  readonly amount: number;
}

/** Places that bookings would get on another flight. */
export interface PlannedPlaces {
  readonly flightId: string;
  readonly cabin: string;
  readonly bookings: number;
  readonly passengers: number;
}

/** What a decision about a flight would lead to. */
export interface DisruptionPlan {
  readonly flightId: string;
  /** For `run`. */
  readonly revision: number;
  readonly bookings: readonly {
    readonly status: string;
    readonly cabin: string;
    readonly bookings: number;
    readonly passengers: number;
  }[];
  /** For how many of them it is significant. */
  readonly significant: number;
  /** Of those that would be moved. */
  readonly places: readonly PlannedPlaces[];
  /** The bookings that no flight would have room for: they end, and their money goes back. */
  readonly placeless: readonly string[];
  /** How many bookings sit elsewhere on another ship. Absent: there is none. */
  readonly reseated?: number;
  /** How many have no place there. */
  readonly unplaced?: number;
  /** How many passports would be rejected, or are to be read again. */
  readonly passports: number;
  readonly money: readonly PlannedMoney[];
  /** How many deliveries would go out. */
  readonly webhooks: number;
}
