import type { MatchedEntry } from "../bank-entry.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, type Saga } from "./saga.ts";

const receiveTransferTask = dueTask({
  kind: "receive_transfer",
  ofRequest: true,
  openedBy: { BankEntryMatched: ({ at, data }) => ({ ...data, dueAt: at + RECOVERY_GRACE }) },
  closedBy: { TransferReceived: ({ data }) => data.entryId },
  key: ({ entryId }) => entryId,
  run: (entry) => receiveMatched(entry),
});

/** Makes the booking count an entry that was matched to one of its transfers. Idempotent. */
export function* receiveMatched({ bookingId, entryId, reference, amount, currency }: MatchedEntry): Saga {
  const command = { type: "ReceiveTransfer", entryId, reference, amount, currency } as const;
  const received = yield* execute("booking", bookingId, command);
  if (!received.accepted) throw new Error(`entry ${entryId} was refused: ${received.rejection.code}`);
}

export const receiveMoney = {
  name: "receive money",
  steps: "entry of the bank account is matched to a transfer, booking counts it",
  undoneBy: "nothing: it is repeated until done",
  tasks: [receiveTransferTask],
} as const satisfies ProcessDefinition;
