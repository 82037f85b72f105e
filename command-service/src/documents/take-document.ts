import { BYTES_THAT_TELL, bookingDecider, bookingOf, contentTypeOf, type UploadDocument } from "@travel-booking/domain";
import { type TakeFile, UnacceptableFile } from "@travel-booking/http";
import { refused } from "../edge/refused.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

/** A file that is stored, and waits to be recorded as a document. */
export interface TakenDocument
  extends Pick<UploadDocument, "uploadId" | "fileName" | "contentType" | "sizeBytes" | "sha256"> {
  /** Set by whoever found it recorded. */
  isRecorded: boolean;
}

/** Stores the file of an upload as it arrives: whole, or not at all. */
export function takeDocument(services: CommandServices): TakeFile {
  const { handler, documents, logger, reached } = services;
  const { uploads } = documents;
  return async (request, file) => {
    const bookingId = request.params.id ?? "";
    const accountId = request.caller?.accountId ?? "";
    const exists = await handler.look({
      stream: bookingStream(bookingId),
      decider: bookingDecider,
      reply: (state) => bookingOf(state, accountId) !== undefined,
    });
    if (!exists) return refused({ code: "booking_not_found" });

    const uploadId = await uploads.begin(bookingId);
    reached("document:begun");
    const discard = () =>
      uploads
        .discard(uploadId)
        .catch((error: unknown) => logger.warn({ err: error, uploadId }, "a file of no use is removed later"));
    try {
      const content = file.content[Symbol.asyncIterator]();
      const beginning = await beginningOf(content);
      if (beginning.length === 0) throw new UnacceptableFile("file must not be empty");
      const contentType = contentTypeOf(beginning);
      if (contentType === undefined) throw new UnacceptableFile("file must be a PDF, PNG or JPEG");
      const { bytes, sha256 } = await uploads.store(uploadId, joined(beginning, content), contentType);
      reached("document:stored");
      const body: TakenDocument = {
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
        finish: () => (body.isRecorded ? uploads.settle(uploadId).catch(() => undefined) : discard()),
      };
    } catch (error) {
      await discard();
      throw error;
    }
  };
}

/** As much as tells what it is; less where there is no more. */
async function beginningOf(content: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < BYTES_THAT_TELL) {
    const next = await content.next();
    if (next.done === true) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  return beginning;
}

async function* joined(beginning: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield beginning;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
