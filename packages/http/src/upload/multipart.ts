import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { InvalidFile } from "./uploaded-file.ts";

const FIELD = "file";
const NAME_SHOWN = 64;
const MALFORMED = "body is not well-formed multipart/form-data";

/** Enough of each to say what is wrong with the second. */
const LIMITS = { parts: 4, files: 4, fields: 4, fieldSize: 1, headerPairs: 20, headerSize: 16_384 };

/** Called for the file, as soon as it begins. */
export type OnFile = (fileName: string | undefined, content: AsyncIterable<Uint8Array>) => void;

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
