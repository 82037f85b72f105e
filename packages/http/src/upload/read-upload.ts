import type { IncomingMessage } from "node:http";
import { contentTypeProblem } from "../request/content-type.ts";
import { drain } from "../request/read-body.ts";
import type { ApiResponse } from "../route.ts";
import { MultipartParser } from "./multipart.ts";
import { ClientAborted, type IncomingFile, InvalidFile, type StagedFile } from "./uploaded-file.ts";

/** What a body has besides its file at most: boundaries, and the heads of parts. */
const MAX_MULTIPART_OVERHEAD_BYTES = 65_536;

export type UploadResult =
  | { readonly taken: StagedFile }
  | { readonly refused: ApiResponse }
  | { readonly problems: readonly string[] }
  /** The client went away before the end. */
  | "gone";

export type StageContent = (file: IncomingFile) => Promise<StagedFile | ApiResponse>;

/**
 * Reads a multipart body whose one file `take` takes in as it arrives. Nothing of a body that is no good stays.
 * @throws what `take` throws besides `InvalidFile`
 */
export async function readUpload(
  request: IncomingMessage,
  maxBytes: number,
  take: StageContent,
): Promise<UploadResult> {
  const mislabelled = contentTypeProblem(request.headers, "multipart/form-data");
  if (mislabelled !== undefined) return refuse(request, mislabelled);
  if (Number(request.headers["content-length"]) > maxBytes + MAX_MULTIPART_OVERHEAD_BYTES) {
    return refuse(request, `file must have at most ${maxBytes} bytes`);
  }
  const taking = Promise.withResolvers<StagedFile | ApiResponse | undefined>();
  let multipart: MultipartParser;
  try {
    multipart = new MultipartParser(request.headers["content-type"] ?? "", maxBytes, (fileName, content) =>
      taking.resolve(take({ fileName, content })),
    );
  } catch {
    return refuse(request, "Content-Type must have a boundary");
  }
  const end = watchConnection(request, maxBytes);
  void multipart.problems.then(() => taking.resolve(undefined));
  multipart.read(request);
  try {
    const taken = await Promise.race([taking.promise, end.broken]);
    if (taken === undefined) return { problems: await multipart.problems };
    if ("discardUnused" in taken) return { taken };
    multipart.abort(request, new Error("refused"));
    drain(request);
    return { refused: taken };
  } catch (error) {
    multipart.abort(request, error as Error);
    // Nobody, where no file has begun.
    taking.resolve(undefined);
    // Whoever takes the file in is done with it before anything else is said.
    await taking.promise.then(discardStaged, () => undefined);
    if (error instanceof ClientAborted) return "gone";
    drain(request);
    if (error instanceof InvalidFile) return { problems: error.problems };
    throw error;
  } finally {
    end.stop();
  }
}

async function discardStaged(taken: StagedFile | ApiResponse | undefined): Promise<void> {
  if (taken !== undefined && "discardUnused" in taken) await taken.discardUnused();
}

function refuse(request: IncomingMessage, problem: string): UploadResult {
  drain(request);
  return { problems: [problem] };
}

/** Fails when the request ends too soon, or does not end. */
function watchConnection(request: IncomingMessage, maxBytes: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes + MAX_MULTIPART_OVERHEAD_BYTES)
      reject(new InvalidFile(`file must have at most ${maxBytes} bytes`));
  };
  const onClose = () => {
    if (!request.complete) reject(new ClientAborted("the client has gone"));
  };
  request.on("data", onData);
  request.on("error", onClose);
  request.on("close", onClose);
  return {
    broken: promise,
    stop() {
      request.off("data", onData);
      request.off("close", onClose);
    },
  };
}
