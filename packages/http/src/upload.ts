import type { IncomingMessage } from "node:http";
import { type Readable, Transform } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { errorResponse } from "./error-response.ts";
import { discard } from "./request/body.ts";
import { contentTypeProblem } from "./request/headers.ts";
import { shortened } from "./request/parse.ts";
import type { ApiResponse, IncomingFile, StagedFile } from "./route.ts";

const FIELD = "file";
const MALFORMED = "body is not well-formed multipart/form-data";
const tooLarge = (maxBytes: number) => `${FIELD} must have at most ${maxBytes} bytes`;

/** Bytes a body may have besides its file: boundaries, and the headers of parts. */
export const MAX_MULTIPART_OVERHEAD_BYTES = 65_536;
/** Bytes parsed at once. All that Node reads at once could become thousands of parts, with a stream for each. */
const PIECE_BYTES = 4_096;
/** Room for more than one of each, so that the second can be reported. */
const LIMITS = { parts: 4, files: 4, fields: 4, fieldSize: 1, headerPairs: 20, headerSize: 16_384 };

/** An invalid file. The response is 400, with one message per problem. */
export class InvalidFile extends Error {
  override readonly name = "InvalidFile";
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** The client disconnected before the end of its file. */
class ClientAborted extends Error {
  override readonly name = "ClientAborted";
}

export type UploadResult = StagedFile | ApiResponse | "aborted";

export type StageContent = (file: IncomingFile) => Promise<StagedFile | ApiResponse>;

/**
 * Reads a multipart body and has `stage` store its one file as it arrives. Nothing of an invalid body remains stored.
 * @throws what `stage` throws besides `InvalidFile`
 */
export async function readUpload(
  request: IncomingMessage,
  maxBytes: number,
  stage: StageContent,
): Promise<UploadResult> {
  const wrongType = contentTypeProblem(request.headers, "multipart/form-data");
  if (wrongType !== undefined) return invalidFile(wrongType);
  if (Number(request.headers["content-length"]) > maxBytes + MAX_MULTIPART_OVERHEAD_BYTES) {
    return invalidFile(tooLarge(maxBytes));
  }
  // Resolves to undefined if the body ends or fails without a file.
  const staging = Promise.withResolvers<StagedFile | ApiResponse | undefined>();
  let multipart: MultipartParser;
  try {
    multipart = new MultipartParser(request.headers["content-type"] ?? "", maxBytes, (file) =>
      staging.resolve(stage(file)),
    );
  } catch {
    return invalidFile("Content-Type must have a boundary");
  }
  const connection = watchConnection(request, maxBytes);
  void multipart.problems.then(() => staging.resolve(undefined));
  multipart.read(request);
  try {
    const staged = await Promise.race([staging.promise, connection.broken]);
    if (staged !== undefined && "settle" in staged) return staged;
    multipart.abort(request, new Error("refused"));
    discard(request);
    return staged ?? invalidFile(...(await multipart.problems));
  } catch (error) {
    multipart.abort(request, error as Error);
    staging.resolve(undefined);
    // Staging must end before the response, so that nothing is stored after it.
    await staging.promise.then(discardStaged, () => undefined);
    if (error instanceof ClientAborted) return "aborted";
    discard(request);
    if (error instanceof InvalidFile) return invalidFile(...error.problems);
    throw error;
  } finally {
    connection.unwatch();
  }
}

async function discardStaged(staged: StagedFile | ApiResponse | undefined): Promise<void> {
  if (staged !== undefined && "settle" in staged) await staged.settle(true);
}

function invalidFile(...problems: readonly string[]): ApiResponse {
  return errorResponse(400, "invalid_file", problems);
}

/** `broken` rejects if the client disconnects too soon or sends too much. */
function watchConnection(request: IncomingMessage, maxBytes: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes + MAX_MULTIPART_OVERHEAD_BYTES) reject(new InvalidFile(tooLarge(maxBytes)));
  };
  const onClose = () => {
    if (!request.complete) reject(new ClientAborted("the client disconnected"));
  };
  request.on("data", onData);
  request.on("error", onClose);
  request.on("close", onClose);
  return {
    broken: promise,
    unwatch() {
      request.off("data", onData);
      request.off("close", onClose);
    },
  };
}

/** Parses a body of one part, the file, as a stream: only a bounded piece is in memory. */
export class MultipartParser {
  /** Resolves at the end of the body to the problems of the whole body. */
  readonly problems: Promise<readonly string[]>;
  readonly #parser: BusboyInstance;
  readonly #end: (problems: readonly string[]) => void;
  readonly #pieces = new Transform({
    transform(bytes: Uint8Array, _encoding, done) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.push(bytes.subarray(at, at + PIECE_BYTES));
      done();
    },
  });
  #file: Readable | undefined;

  /**
   * Calls `onFile` as soon as the file begins.
   * @throws Error the content type has no boundary.
   */
  constructor(contentType: string, maxBytes: number, onFile: (file: IncomingFile) => void) {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    this.problems = promise;
    this.#end = resolve;
    const found = new Set<string>();
    const parser = new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: LIMITS,
      // A part may come without a file name (RFC 7578, section 4.2).
      isPartAFile: (name) => name === FIELD,
    });
    parser.on("field", (name) => found.add(unknownField(name)));
    parser.on("partsLimit", () => {
      found.add("body has too many parts");
      // Parsing stops, because a million parts may follow.
      this.#pieces.unpipe(parser);
      resolve([...found]);
    });
    parser.on("file", (_name, stream, fileName: string | undefined) => {
      // Busboy only emits the error. Destroying the stream hands the error to a reader that starts later.
      stream.on("error", () => stream.destroy(new InvalidFile(MALFORMED)));
      if (this.#file === undefined) {
        this.#file = stream;
        onFile({ fileName, content: this.#content(stream, maxBytes) });
        return;
      }
      found.add(`${FIELD} is given more than once`);
      stream.resume();
    });
    parser.on("error", () => {
      found.add(MALFORMED);
      resolve([...found]);
    });
    parser.on("finish", () => {
      if (this.#file === undefined && found.size === 0) found.add(`${FIELD} is required`);
      resolve([...found]);
    });
    this.#parser = parser;
  }

  read(request: IncomingMessage): void {
    request.pipe(this.#pieces).pipe(this.#parser);
  }

  /** Stops reading. A reader of the file gets this error. */
  abort(request: IncomingMessage, error: Error): void {
    request.unpipe(this.#pieces);
    this.#file?.destroy(error);
    this.#end([MALFORMED]);
  }

  async *#content(stream: Readable, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new InvalidFile(tooLarge(maxBytes));
      yield chunk;
    }
    const problems = await this.problems;
    if (problems.length > 0) throw new InvalidFile(...problems);
  }
}

function unknownField(name: string | undefined): string {
  if (name === undefined || name === "") return "a part without a name is not known";
  return `${shortened(name)} is not a known field`;
}
