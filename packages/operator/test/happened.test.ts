import { expect, test } from "@jest/globals";
import { happened } from "../src/happened.ts";

test("events are told in sentences, and one that nobody has words for by its name", () => {
  const tell = (type: string, data: object, changes: object = {}) =>
    happened({ type, data, changes } as unknown as Parameters<typeof happened>[0], "USD");
  const party = [{ name: "Ada", email: "a@example.com" }];
  const booked = { passengers: party, cabin: "economy", seats: ["1A"], totalAmount: 90_500 };
  const changes = { seats: { from: ["21A"], to: ["22A"] }, reference: { from: "R", to: null } };
  expect([
    tell("BookingCreated", booked),
    tell("BookingChanged", { seats: ["22A"], reference: null, passengers: party }, changes),
    tell("BookingCancelled", { cause: "expired", reason: null }),
    tell("BookingCancelled", { cause: "requested", reason: "ill" }),
    tell("NoteAdded", { text: "she rang up" }),
    tell("RefundStarted", { amount: 500, currency: "EUR", reason: "requested_by_customer" }),
    tell("SomethingNew", {}),
  ]).toStrictEqual([
    "Booked in economy for 1, seats 1A: USD 905.00",
    "Seats 21A → 22A; Reference R → none; Passengers Ada",
    "Cancelled (expired)",
    "Cancelled: ill",
    "Note: she rang up",
    "EUR 5.00 goes back: requested by customer",
    "Something new",
  ]);
});
