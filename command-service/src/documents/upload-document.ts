import { bookingDecider, documentIdOf, hasUpload } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { randomDigitsOf } from "@travel-booking/runtime";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { bookingBodyOf } from "../responses/bodies.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { created } from "../responses/success.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import type { ReceivedDocument } from "./receive-document.ts";

/**
 * `POST /v1/bookings/{id}/documents`. The file is stored before it is recorded: a document always has its file. A file
 * that is not recorded is removed, by this request or by the sweep after a crash.
 */
export function uploadDocument({ handler, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest<unknown, ReceivedDocument>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const bookingId = request.params.id ?? "";
    const { isRecorded: _, ...file } = request.body;
    const outcome = await handler.execute({
      stream: bookingStream(bookingId),
      decider: bookingDecider,
      command: {
        type: "UploadDocument",
        accountId: command.caller.accountId,
        documentId: documentIdOf(bookingId, randomDigitsOf(command.identity.commandId)),
        ...file,
      },
      context: stepContext(command, 0),
      // A repeated command may be found recorded with the file of an earlier attempt: then this one is of no use.
      reply: (state) => ({ body: bookingBodyOf(state), isRecorded: hasUpload(state, file.uploadId) }),
    });
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    request.body.isRecorded = outcome.reply.isRecorded;
    reachedFaultPoint("document:recorded");
    return created(outcome.reply.body, outcome.position);
  };
}
