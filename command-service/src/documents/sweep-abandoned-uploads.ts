import { bookingDecider, hasUpload } from "@travel-booking/domain";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import type { PendingUpload } from "./uploads.ts";

const SWEEP_BATCH_SIZE = 100;

/**
 * Settles what was begun before this moment (real time) and left: a file without a document is closed against a late
 * one, then removed. Answers how many there were.
 */
export async function sweepAbandonedUploads(services: CommandServices, begunBefore: number): Promise<number> {
  const left = await services.documents.uploads.listBegunBefore(begunBefore, SWEEP_BATCH_SIZE);
  for (const upload of left) await completeOrDiscard(services, upload);
  return left.length;
}

async function completeOrDiscard(services: CommandServices, { uploadId, bookingId }: PendingUpload): Promise<void> {
  const { handler, documents, reachedFaultPoint } = services;
  const outcome = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "CloseUpload", uploadId },
    context: systemContext(services),
    reply: (state) => hasUpload(state, uploadId),
  });
  reachedFaultPoint("upload:closed");
  if (outcome.accepted && outcome.reply) await documents.uploads.complete(uploadId);
  else await documents.uploads.discard(uploadId);
}
