import { dueTask, type ProcessDefinition } from "./process.ts";
import { execute } from "./saga.ts";

const usedHold = ({ data: { holdId } }: { readonly data: { readonly holdId: string | null } }) => holdId ?? [];

const expireHold = dueTask({
  kind: "expire_hold",
  openedBy: { SeatsHeld: ({ data: { holdId, expiresAt } }, flightId) => ({ flightId, holdId, dueAt: expiresAt }) },
  closedBy: {
    SeatHoldReleased: ({ data }) => data.holdId,
    SeatHoldExpired: ({ data }) => data.holdId,
    SeatsAllocated: usedHold,
    SeatChangeReserved: usedHold,
  },
  key: ({ holdId }) => holdId,
  *run({ flightId }) {
    yield* execute("flight", flightId, { type: "ExpireHolds" });
  },
});

export const hold = {
  name: "hold seats",
  steps: "flight holds seats for a time",
  undoneBy: "the hold expires",
  tasks: [expireHold],
} as const satisfies ProcessDefinition;
