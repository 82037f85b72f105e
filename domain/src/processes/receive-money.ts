import type { MatchedEntry } from "../bank-entry.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, type Saga } from "./saga.ts";

const receiveTransferTask = dueTask({
  kind: "receive_transfer",
  ofRequest: true,
  openedBy: { BankEntryMatched: ({ at, data }) => ({ ...data, dueAt: at + RECOVERY_GRACE }) },
  closedBy: { TransferReceived: ({ data }) => data.entryId },
  key: ({ entryId }) => entryId,
  run: (entry) => receiveMatched(entry),
});

const freeEntryTask = dueTask({
  kind: "free_entry",
  openedBy: {
    TransferReversed: ({ at, data: { entryId, reversals } }, bookingId) => ({
      bookingId,
      entryId,
      reversals,
      dueAt: at + FOLLOW_UP_GRACE,
    }),
  },
  closedBy: { BankEntryReversed: ({ data }) => data.entryId },
  key: ({ entryId }) => entryId,
  run: ({ bookingId, entryId, reversals }) => freeEntry(bookingId, entryId, reversals),
});

/** Frees an entry that its booking counts no longer, so that it may be recorded anew. Idempotent. */
export function* freeEntry(bookingId: string, entryId: string, reversals: number): Saga {
  yield* execute("bankEntry", entryId, { type: "ReverseEntry", entryId, letGo: { bookingId, reversals } });
}

/** Makes the booking count an entry that was matched to one of its transfers. Idempotent. */
export function* receiveMatched({ bookingId, entryId, reference, amount, currency, reversals }: MatchedEntry): Saga {
  const again = reversals === undefined ? undefined : { reversals };
  const command = { type: "ReceiveTransfer", entryId, reference, amount, currency, ...again } as const;
  const received = yield* execute("booking", bookingId, command);
  if (!received.accepted) throw new Error(`entry ${entryId} was refused: ${received.rejection.code}`);
}

export const receiveMoney = {
  name: "receive money",
  steps:
    "entry of the bank account is matched to a transfer, booking counts it; reversed, booking lets go of it, then the entry is free",
  undoneBy: "nothing: it is repeated until done",
  tasks: [receiveTransferTask, freeEntryTask],
} as const satisfies ProcessDefinition;
