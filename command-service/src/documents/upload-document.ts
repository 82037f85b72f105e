import {
  bookingOf,
  detectContentType,
  documentIdOf,
  hasUpload,
  MAGIC_BYTES_LENGTH,
  type UploadDocument,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, InvalidFile, type StageFile } from "@travel-booking/http";
import { randomDigitsOf } from "@travel-booking/runtime";
import { concatenate, readBeginning } from "@travel-booking/runtime/content";
import { commandRequest, stepContext } from "../command-handling/command.ts";
import { NoSpaceLeft, takeUploadSpace, type UploadSpace } from "../quotas/upload-space.ts";
import { bookingBodyOf, created, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

/**
 * `POST /v1/bookings/{id}/documents`. The file is stored before it is recorded, so that a document always has its file.
 * A file that is not recorded is removed, by this request or, after a crash, by the sweep.
 */
export function uploadDocument({ handler, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest<unknown, ReceivedDocument>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const bookingId = request.params.id ?? "";
    const { isRecorded: _, ...file } = request.body;
    const outcome = await handler.execute({
      ...bookingStream(bookingId),
      command: {
        type: "UploadDocument",
        accountId: command.caller.accountId,
        documentId: documentIdOf(bookingId, randomDigitsOf(command.identity.commandId)),
        ...file,
      },
      context: stepContext(command, 0),
      // An earlier attempt may have recorded this command with another file. Then this file is unused.
      reply: (state) => ({ body: bookingBodyOf(state), isRecorded: hasUpload(state, file.uploadId) }),
    });
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    request.body.isRecorded = outcome.reply.isRecorded;
    reachedFaultPoint("document:recorded");
    return created(outcome.reply.body, outcome.position);
  };
}

/** A stored file that is not recorded as a document yet. */
interface ReceivedDocument
  extends Pick<UploadDocument, "uploadId" | "fileName" | "contentType" | "sizeBytes" | "sha256"> {
  /** True once the command is recorded with this file. */
  isRecorded: boolean;
}

/** Stores the file of an upload while it arrives. After a failure, removes the stored part. */
export function receiveDocument(services: CommandServices): StageFile {
  const { handler, documents, quotas, logger, reachedFaultPoint } = services;
  const { uploads } = documents;
  return async (request, file) => {
    const bookingId = request.params.id ?? "";
    const accountId = request.caller?.accountId ?? "";
    const exists = await handler.readState({
      ...bookingStream(bookingId),
      reply: (state) => bookingOf(state, accountId) !== undefined,
    });
    if (!exists) return rejectionResponse({ code: "booking_not_found" });

    const uploadId = await uploads.begin(bookingId);
    reachedFaultPoint("document:begun");
    let space: UploadSpace | undefined;
    const discard = async () => {
      await uploads
        .discard(uploadId)
        .catch((error: unknown) =>
          logger.warn({ err: error, uploadId }, "an unused upload could not be removed; the sweeper will remove it"),
        );
      space?.end(false);
    };
    try {
      space = await takeUploadSpace(quotas, accountId, Number(request.header("content-length") ?? 0));
      const content = space.fitting(file.content);
      const beginning = await readBeginning(content, MAGIC_BYTES_LENGTH);
      if (beginning.length === 0) throw new InvalidFile("file must not be empty");
      const contentType = detectContentType(beginning);
      if (contentType === undefined) throw new InvalidFile("file must be a PDF, PNG or JPEG");
      const { bytes, sha256 } = await uploads.store(
        { uploadId, bookingId },
        accountId,
        concatenate(beginning, content),
        contentType,
      );
      reachedFaultPoint("document:stored");
      const body: ReceivedDocument = {
        uploadId,
        fileName: file.fileName ?? "",
        contentType,
        sizeBytes: bytes,
        sha256,
        isRecorded: false,
      };
      return {
        body,
        fingerprint: { file: { fileName: body.fileName, sha256 } },
        async settle(isAnswered) {
          if (isAnswered && !body.isRecorded) return discard();
          space?.end(true);
          if (body.isRecorded) await uploads.complete(uploadId).catch(() => undefined);
        },
      };
    } catch (error) {
      await discard();
      if (error instanceof NoSpaceLeft) return rejectionResponse(error.rejection);
      throw error;
    }
  };
}
