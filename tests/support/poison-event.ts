import { randomUUID } from "node:crypto";
import { type EventStore, NO_STREAM } from "@travel-booking/engines/event-store";

/** Appends an event no projection of bookings can make anything of. */
export async function appendPoisonEvent(log: EventStore): Promise<void> {
  await log.append("booking-bkg_poison", NO_STREAM, [
    {
      id: randomUUID(),
      type: "BookingCreated",
      version: 1,
      at: Date.now(),
      data: null,
      metadata: {
        accountId: "acc_poison",
        actor: { kind: "system", id: "test" },
        requestId: null,
        commandId: randomUUID(),
        causationId: null,
      },
    },
  ]);
}
