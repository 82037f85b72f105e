/** The chapters of the published description, with what each is about. */
export const TAGS = {
  Authentication: "Exchanging client credentials for an access token.",
  "Boarding passes": "What a passenger shows at the gate, as PDF, image or data.",
  Bookings: "Booking passengers on a flight, changing and cancelling, and what happened so far.",
  Destinations: "The planets that can be travelled to.",
  Documents: "Travel documents of a booking and what became of their review.",
  Events: "What happened to bookings and payments, listed or followed as it happens.",
  Flights: "Scheduled flights with their fares and seat maps.",
  Interface: "This description itself.",
  Loyalty: "Points, tiers and rewards of the account.",
  Passengers: "Saved passenger profiles.",
  Payments: "Paying for bookings and giving money back.",
  "Seat holds": "Keeping seats for a quarter of an hour while a customer makes up their mind.",
  "Webhook endpoints": "Having events delivered to a URL, signed and in order.",
} as const;

export type Tag = keyof typeof TAGS;
