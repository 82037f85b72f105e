import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { drain } from "./request/body.ts";
import { contentTypeProblem } from "./request/headers.ts";
import type { ApiResponse } from "./route.ts";
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

const FIELD = "file";
const NAME_SHOWN = 64;
const MALFORMED = "body is not well-formed multipart/form-data";

/** Enough of each to say what is wrong with the second. */
const LIMITS = { parts: 4, files: 4, fields: 4, fieldSize: 1, headerPairs: 20, headerSize: 16_384 };

/** Called for the file, as soon as it begins. */
type OnFile = (fileName: string | undefined, content: AsyncIterable<Uint8Array>) => void;

/** Reads a body of one part, the file, and holds but a bounded piece of it in memory. */
export class MultipartParser {
  /** At the end of the body: what is wrong with it as a whole. */
  readonly problems: Promise<readonly string[]>;
  readonly #found = new Set<string>();
  readonly #parser: BusboyInstance;
  readonly #end: (problems: readonly string[]) => void;
  #file: Readable | undefined;

  /** @throws Error the content type has no boundary. */
  constructor(contentType: string, maxBytes: number, onFile: OnFile) {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    this.problems = promise;
    this.#end = resolve;
    const found = this.#found;
    const parser = new Busboy({ headers: { "content-type": contentType }, preservePath: true, limits: LIMITS });
    parser.on("field", (name) => found.add(name === FIELD ? `${FIELD} must be a file` : unknown(name)));
    parser.on("partsLimit", () => found.add("body has too many parts"));
    parser.on("file", (name, stream, fileName: string | undefined) => {
      // It only says so once, to whoever listens at that moment.
      stream.on("error", () => stream.destroy(new InvalidFile(MALFORMED)));
      if (name === FIELD && this.#file === undefined) {
        this.#file = stream;
        onFile(fileName, this.#content(stream, maxBytes));
        return;
      }
      found.add(name === FIELD ? `${FIELD} is given more than once` : unknown(name));
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
    request.pipe(this.#parser);
  }

  /** Reads no further: whoever still reads the file is given this error. */
  abort(request: IncomingMessage, error: Error): void {
    request.unpipe(this.#parser);
    this.#file?.destroy(error);
    this.#end([MALFORMED]);
  }

  async *#content(stream: Readable, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    let size = 0;
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw new InvalidFile(`${FIELD} must have at most ${maxBytes} bytes`);
      yield piece;
    }
    const problems = await this.problems;
    if (problems.length > 0) throw new InvalidFile(...problems);
  }
}

function unknown(name: string | undefined): string {
  if (name === undefined || name === "") return "a part without a name is not known";
  return `${name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name} is not a known field`;
}
