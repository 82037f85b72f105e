import type { z } from "zod";
import type { DestinationBody } from "../resources/destination.ts";
import type { FlightBody, FlightStatusBody } from "../resources/flight.ts";
import type { SeatHoldBody, seatHoldRequestSchema } from "../resources/seat-hold.ts";
import type { SeatMapBody } from "../resources/seat-map.ts";

export const destination: DestinationBody = {
  id: "kepler-442b",
  name: "Kepler-442b",
  system: "Kepler-442",
  distanceLy: 1206,
  gravity: 1.3,
  climate: "temperate",
};

export const flight: FlightBody = {
  id: "KP442-20270301",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: "2027-03-01T09:00:00.000Z",
  durationDays: 480,
  fares: [
    { cabin: "economy", amount: 129_900, currency: "USD", seatsLeft: 57 },
    { cabin: "business", amount: 500_000, currency: "USD", seatsLeft: 4 },
  ],
};

export const seatMap: SeatMapBody = {
  flightId: "KP442-20270301",
  cabins: [
    {
      cabin: "economy",
      deck: 1,
      columns: ["A", "B", "C", "D"],
      aisles: [2],
      rows: [
        {
          number: 12,
          seats: [
            { number: "12A", status: "available", features: ["window"], price: 2_500, currency: "USD" },
            { number: "12B", status: "held", features: ["aisle"], price: 0, currency: "USD" },
            { number: "12C", status: "booked", features: ["aisle"], price: 0, currency: "USD" },
            { number: "12D", status: "blocked", features: ["window"], price: 2_500, currency: "USD" },
          ],
        },
      ],
    },
  ],
};

export const seatsToHold: z.input<typeof seatHoldRequestSchema> = { seats: ["12A", "12B"] };

export const seatHold: SeatHoldBody = {
  id: "hld_01JC8Q4ZK3T5V7X9B2D4F6H8",
  flightId: "KP442-20270301",
  cabin: "economy",
  seats: ["12A", "12B"],
  status: "active",
  createdAt: "2026-11-02T09:25:00.000Z",
  expiresAt: "2026-11-02T09:40:00.000Z",
};

export const flightStatus: FlightStatusBody = {
  flightId: "KP442-20270301",
  status: "cancelled",
  departsAt: "2027-03-01T09:00:00.000Z",
  originalDepartsAt: "2027-03-01T09:00:00.000Z",
  revision: 1,
  changes: [
    {
      kind: "cancelled",
      revision: 1,
      at: "2026-12-01T12:00:00.000Z",
      reason: "The ship needs another drive.",
      before: { departsAt: "2027-03-01T09:00:00.000Z", durationDays: 480 },
      after: null,
    },
  ],
};
