import {
  type BankEntry,
  type BankEntryRejectionCode,
  type BankEntryState,
  type MatchedEntry,
  receiveMatched,
  type TransferMatch,
} from "@travel-booking/domain";
import { type CommandContext, type CommandOutcome, latestPosition } from "../command-handling/command.ts";
import { runSaga } from "../processes/run-saga.ts";
import type { CommandServices } from "../services.ts";
import { bankEntryStream } from "../streams.ts";

/**
 * Receives money on the bank account. Its entry is recorded. If its reference names a transfer, the booking of that
 * transfer counts it. The same entry again changes nothing.
 * @param match null: the reference names no transfer.
 * @param newContext of each command.
 * @param isNew refuses the entry if it was recorded before.
 */
export async function receiveMoney(
  services: CommandServices,
  entry: BankEntry,
  match: TransferMatch | null,
  newContext: () => CommandContext,
  isNew = false,
): Promise<CommandOutcome<MatchedEntry | null, BankEntryRejectionCode>> {
  const recorded = await services.handler.execute({
    ...bankEntryStream(entry.entryId),
    command: { type: "RecordBankEntry", entry, match, isNew },
    context: newContext(),
    reply: (state: BankEntryState) => (state.status === "matched" ? state.entry : null),
  });
  services.reachedFaultPoint("transfer:recorded");
  if (!recorded.accepted || recorded.reply === null) return recorded;
  const received = await runSaga(services, receiveMatched(recorded.reply), newContext());
  return { ...recorded, position: latestPosition(recorded.position, received.position) };
}
