import {
  type BookingBody,
  type EventBody,
  type EventType,
  eventJson,
  failureMessage,
  type PaymentBody,
  timestamp,
} from "@travel-booking/api-contract";

function sampleBooking(status: BookingBody["status"], at: number): BookingBody {
  return {
    id: "bkg_sample",
    status,
    cabin: "economy",
    flightId: "KP442-20270301",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
    totalAmount: 129_900,
    currency: "USD",
    documents: [],
    seats: ["12A"],
    reference: "SAMPLE-2",
    createdAt: timestamp(at),
  };
}

function samplePayment(status: PaymentBody["status"], at: number): PaymentBody {
  const failureCode = status === "failed" ? "card_declined" : null;
  return {
    id: "pay_sample",
    bookingId: "bkg_sample",
    status,
    failureCode,
    failureMessage: failureCode === null ? null : failureMessage(failureCode),
    amount: 129_900,
    amountRefunded: 0,
    currency: "USD",
    method: {
      type: "card",
      card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 },
      wallet: null,
      bankTransfer: null,
    },
    metadata: {},
    refunds: [],
    createdAt: timestamp(at),
  };
}

const OBJECTS: Readonly<Record<EventType, (at: number) => EventBody["data"]["object"]>> = {
  "booking.confirmed": (at) => sampleBooking("confirmed", at),
  "booking.changed": (at) => sampleBooking("confirmed", at),
  "booking.cancelled": (at) => sampleBooking("cancelled", at),
  "payment.succeeded": (at) => samplePayment("succeeded", at),
  "payment.failed": (at) => samplePayment("failed", at),
};

/** The JSON of a made-up event, for testing an endpoint. */
export function sampleEvent(id: string, type: EventType, at: number): string {
  const previous = type === "booking.changed" ? { reference: "SAMPLE-1" } : null;
  return eventJson({ id, type, at }, JSON.stringify(OBJECTS[type](at)), previous);
}
