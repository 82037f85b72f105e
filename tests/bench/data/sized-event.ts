import type { EventToAppend } from "@travel-booking/engines/event-store";
import { uuidOf } from "./ids.ts";

/** Size of one event as JSON in the append round and its reference (d), in bytes. */
export const EVENT_BYTES = 414;

function seatsHeld(number: number, reference: string): EventToAppend {
  const at = 1_790_000_000_000 + number;
  return {
    id: uuidOf(number),
    type: "SeatsHeld",
    version: 1,
    at,
    data: {
      holdId: `hld_${uuidOf(number)}`,
      accountId: "acc_bench",
      cabin: "economy",
      seats: ["14C"],
      expiresAt: at + 900_000,
    },
    metadata: {
      accountId: "acc_bench",
      actor: { kind: "credential", id: "crd_bench" },
      requestId: reference,
      commandId: uuidOf(number),
      causationId: null,
    },
  };
}

const PADDING = "r".repeat(EVENT_BYTES - JSON.stringify(seatsHeld(0, "")).length);

/** An event whose JSON has exactly `EVENT_BYTES` bytes; another number, another event. */
export function sizedEvent(number: number): EventToAppend {
  return seatsHeld(number, PADDING);
}
