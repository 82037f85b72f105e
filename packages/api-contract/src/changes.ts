import { API_VERSIONS } from "./operation.ts";

/** What a release of the service has added to the interface. */
export interface Release {
  readonly release: string;
  /** In UTC. */
  readonly day: string;
  /** The version of the API that came with it. */
  readonly version?: string;
  /** Sentences in CommonMark. Ids of operations stand in backticks, and so do names of parameters, fields and codes. */
  readonly additions: readonly string[];
}

/** Newest first. Within a version of the API nothing is taken away, so that a client of an earlier release goes on working. */
export const RELEASES: readonly Release[] = [
  {
    release: "1.8.0",
    day: "2026-11-28",
    additions: [
      "The carrier may erase the documents of a booking that is over: `listDocuments` shows what stands for their words, and `uploadDocument` answers as where the booking is erased.",
      "Where a cancelled flight departs after all, a disruption that the cancellation had revised is revised back, and may be answered.",
      "Carriers move bookings of a cancelled flight to others: `booking.changed` tells it with `flightId`, and the disruption has an `after`.",
      "`rebookDisruption` moves a booking whose disruption is open to another flight, one of `listDisruptionAlternatives`; new errors: `flight_sold_out` and `rebook_not_allowed`.",
      "Carriers send other ships: `getFlightStatus` tells it among the changes, with the `cabins` of both ships; bookings have other seats, and what was paid for features that they lose goes back.",
      "`getBoardingPass` answers `cabin_sold_out` where another ship has no place for the booking; `acceptDisruption` may take it into a lower cabin.",
    ],
  },
  {
    release: "1.7.0",
    day: "2026-11-28",
    additions: [
      "Endpoints and `listEvents` may name `disruption.revised`; the changes of `getFlightStatus` have a `revision`, and a flight that was cancelled may depart after all.",
      "The carrier may erase one of a booking's party: `getBooking` shows what stands for that one's words, and `changeBooking` and `uploadDocument` answer as where the booking is erased.",
      "Carriers give flights other times: `getFlightStatus` and `Flight-Status` say so, and each booking on such a flight has a case.",
      "`getBoardingPass` answers with `Boarding-Pass-Revision`, by which a pass of before a change of seats or departure is known.",
      "`acceptDisruption` and `refundDisruption` answer a disruption that is open; new errors: `disruption_resolved`, `disruption_superseded` and `nothing_to_accept`.",
    ],
  },
  {
    release: "1.6.0",
    day: "2026-11-27",
    additions: [
      "`changeWebhookEndpoint` changes the URL and the types of an endpoint; `createWebhookEndpoint` and it take `headers` of the receiver's own and `maxPerSecond`, and `getWebhookStatus` shows `headerNames` and `maxPerSecond`.",
      "Endpoints and `listEvents` may name `disruption.opened`, `disruption.resolved` and `flight.changed`.",
      "New error: `read_only`, of a service that is started to be looked at only.",
      "Points spent on upgrade, baggage and lounge come back where the carrier has cancelled the flight; while a disruption is open, `cancellableUntil` is the departure.",
      "Endpoints and `listEvents` may name `endpoint.failing` and `endpoint.recovered`, which tell of the account's other endpoints.",
    ],
  },
  {
    release: "1.5.0",
    day: "2026-11-27",
    additions: [
      "`getBookingSummary` tells what a booking costs in parts, until when it can be paid and cancelled free of charge, and the code on its passes.",
      "`getCancellationQuote` tells what a cancellation would give back now.",
      "Bookings carry `metadata`, as passengers and payments do.",
      "`createBooking` takes `passengerId` of a saved passenger in place of name and e-mail address.",
      "Endpoints and `listEvents` may name `booking.created`, `document.verified`, `document.rejected`, `refund.succeeded`, `refund.failed` and `hold.expired`; `*` stands for the five usual types.",
      "Carriers cancel flights: `getFlightStatus`, `listDisruptions`, `getDisruption` and `listBookingDisruptions` tell what has changed, and for whom.",
      "New errors: `flight_cancelled`, `sales_closed` and `disruption_not_found`.",
      "Pages in a browser may send requests with access tokens, where `CORS_ORIGINS` names their origin.",
      "This page; the description as YAML, and as a collection for Postman.",
    ],
  },
  {
    release: "1.4.0",
    day: "2026-11-27",
    additions: [
      "`listBookings` looks for bookings by `status`, `flightId`, `reference`, `email`, `passCode`, `createdAfter`, `createdBefore`, `departsAfter` and `departsBefore`.",
      "`listPayments` lists the account's payments, by `bookingId`, `status`, `createdAfter` and `createdBefore`.",
      "`getSeatHold` shows a hold, also one that has ended.",
    ],
  },
  {
    release: "1.3.0",
    day: "2026-11-27",
    additions: [
      "`listFlights` looks for flights by `departsBefore`, `from` and `cabin`.",
      "`listBookingPayments` lists the payments of a booking.",
      "`getWebhookEndpoint` shows a single endpoint.",
      "What a booking or a passenger may take on is bounded, and refused with `too_many_changes`, `too_many_payments`, `too_many_redemptions`, `too_many_refunds` or `too_many_seat_changes`.",
    ],
  },
  {
    release: "1.0.0",
    day: "2026-11-21",
    version: API_VERSIONS[0],
    additions: ["The first release."],
  },
];
