/** Size of the body in the validated POST, in bytes (performance goals, reference (c)). */
export const BODY_BYTES = 301;

export const PASSENGERS = 2;

function body(flightId: string, padding: string): string {
  return JSON.stringify({
    flightId,
    cabin: "economy",
    passengers: [
      { name: `Valentina Tereshkova${padding}`, email: "valentina.tereshkova@example.com" },
      { name: "Svetlana Savitskaya", email: "svetlana.savitskaya@example.com" },
    ],
    reference: "BENCH-2026-11-0001",
  });
}

/** A booking of two seats, not chosen, whose JSON has exactly `BODY_BYTES` bytes. */
export function bookingRequest(flightId: string): string {
  return body(flightId, "a".repeat(BODY_BYTES - body(flightId, "").length));
}
