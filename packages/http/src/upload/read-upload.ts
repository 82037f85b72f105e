import type { IncomingMessage } from "node:http";
import { contentTypeProblem } from "../request/content-type.ts";
import { drain } from "../request/read-body.ts";
import type { ApiResponse } from "../route.ts";
import { Multipart } from "./multipart.ts";
import { type ArrivingFile, ClientGone, type TakenFile, UnacceptableFile } from "./uploaded-file.ts";

/** What a body has besides its file at most: boundaries, and the heads of parts. */
const MOST_AROUND = 65_536;

export type UploadRead =
  | { readonly taken: TakenFile }
  | { readonly refused: ApiResponse }
  | { readonly problems: readonly string[] }
  /** The client went away before the end. */
  | "gone";

export type Take = (file: ArrivingFile) => Promise<TakenFile | ApiResponse>;

/**
 * Reads a multipart body whose one file `take` takes in as it arrives. Nothing of a body that is no good stays.
 * @throws what `take` throws besides `UnacceptableFile`
 */
export async function readUpload(request: IncomingMessage, maxBytes: number, take: Take): Promise<UploadRead> {
  const mislabelled = contentTypeProblem(request.headers, "multipart/form-data");
  if (mislabelled !== undefined) return refuse(request, mislabelled);
  if (Number(request.headers["content-length"]) > maxBytes + MOST_AROUND) {
    return refuse(request, `file must have at most ${maxBytes} bytes`);
  }
  const taking = Promise.withResolvers<TakenFile | ApiResponse | undefined>();
  let multipart: Multipart;
  try {
    multipart = new Multipart(request.headers["content-type"] ?? "", maxBytes, (fileName, content) =>
      taking.resolve(take({ fileName, content })),
    );
  } catch {
    return refuse(request, "Content-Type must have a boundary");
  }
  const end = watch(request, maxBytes);
  void multipart.problems.then(() => taking.resolve(undefined));
  multipart.read(request);
  try {
    const taken = await Promise.race([taking.promise, end.broken]);
    if (taken === undefined) return { problems: await multipart.problems };
    if ("finish" in taken) return { taken };
    multipart.leave(request, new Error("refused"));
    drain(request);
    return { refused: taken };
  } catch (error) {
    multipart.leave(request, error as Error);
    // Nobody, where no file has begun.
    taking.resolve(undefined);
    // Whoever takes the file in is done with it before anything else is said.
    await taking.promise.then(dropTaken, () => undefined);
    if (error instanceof ClientGone) return "gone";
    drain(request);
    if (error instanceof UnacceptableFile) return { problems: error.problems };
    throw error;
  } finally {
    end.stop();
  }
}

async function dropTaken(taken: TakenFile | ApiResponse | undefined): Promise<void> {
  if (taken !== undefined && "finish" in taken) await taken.finish();
}

function refuse(request: IncomingMessage, problem: string): UploadRead {
  drain(request);
  return { problems: [problem] };
}

/** Fails when the request ends too soon, or does not end. */
function watch(request: IncomingMessage, maxBytes: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes + MOST_AROUND) reject(new UnacceptableFile(`file must have at most ${maxBytes} bytes`));
  };
  const onClose = () => {
    if (!request.complete) reject(new ClientGone("the client has gone"));
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
