import { bookingDecider, hasUpload } from "@travel-booking/domain";
import { systemContext } from "../policies/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import type { BegunUpload } from "./uploads.ts";

const AT_ONCE = 100;

/**
 * Settles what was begun before this moment (real time) and left: a file without a document is closed against a late
 * one, then removed. Answers how many there were.
 */
export async function sweepUploads(services: CommandServices, begunBefore: number): Promise<number> {
  const left = await services.documents.uploads.begunBefore(begunBefore, AT_ONCE);
  for (const upload of left) await settle(services, upload);
  return left.length;
}

async function settle(services: CommandServices, { uploadId, bookingId }: BegunUpload): Promise<void> {
  const { handler, documents, reached } = services;
  const outcome = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "CloseUpload", uploadId },
    context: systemContext(services),
    reply: (state) => hasUpload(state, uploadId),
  });
  reached("upload:closed");
  if (outcome.accepted && outcome.reply) await documents.uploads.settle(uploadId);
  else await documents.uploads.discard(uploadId);
}
