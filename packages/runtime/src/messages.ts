import type { Duplex, Readable, Writable } from "node:stream";

/** A message between a service and a process that works for it: a value as JSON, and perhaps a file with it. */
export interface Message {
  readonly value: unknown;
  readonly file: Uint8Array;
}

/** Header of a message: the bytes of its value and of its file, four bytes each, most significant first. */
const LENGTHS = 8;
/** Limit of a value, because it is parsed in one go. A party of nine with the longest of everything takes 30 kB. */
const MAX_VALUE_BYTES = 1_048_576;
const NO_FILE = new Uint8Array();

export function writeMessage(stream: Writable, value: object, file: Uint8Array = NO_FILE): void {
  const json = Buffer.from(JSON.stringify(value));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(json.length);
  lengths.writeUInt32BE(file.length, LENGTHS / 2);
  for (const part of [lengths, json, file]) stream.write(part);
}

/**
 * The messages of a stream, until it ends. No byte is copied more than twice.
 * @param maxBytes of one message.
 * @throws Error a message or its value is too long, the value is no JSON, or the stream fails.
 */
export async function* messagesOf(stream: Readable, maxBytes: number): AsyncGenerator<Message> {
  let parts: Buffer[] = [];
  let arrived = 0;
  let needed = LENGTHS;
  for await (const part of stream) {
    parts.push(part);
    arrived += part.length;
    while (arrived >= needed) {
      const bytes = Buffer.concat(parts);
      parts = [bytes];
      const fileStart = LENGTHS + bytes.readUInt32BE();
      const end = fileStart + bytes.readUInt32BE(LENGTHS / 2);
      if (end > maxBytes) throw new Error(`a message of ${end} bytes: ${maxBytes} are allowed`);
      if (fileStart > MAX_VALUE_BYTES) throw new Error(`a value of ${fileStart} bytes: ${MAX_VALUE_BYTES} are allowed`);
      needed = end;
      if (arrived < end) break;
      yield { value: parsed(bytes.toString("utf8", LENGTHS, fileStart)), file: bytes.subarray(fileStart, end) };
      parts = [bytes.subarray(end)];
      arrived -= end;
      needed = LENGTHS;
    }
  }
}

/** @throws Error without the text, which may hold personal data. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("a message that is no JSON");
  }
}

/** The answer to a request, and a file if one goes with it. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly file?: Uint8Array;
}

/**
 * Answers the requests of a stream (`Requests`) until it ends. Answers are sent as soon as they are ready.
 * @param answer never rejects.
 * @throws Error as `messagesOf`, or for a request without a number; the other side then has to start again.
 */
export async function answerRequests(
  stream: Duplex,
  maxBytes: number,
  answer: (request: unknown, file: Uint8Array) => Promise<Answered<object>>,
): Promise<void> {
  // A stream that fails also ends, which the loop below sees.
  stream.on("error", () => undefined);
  for await (const { value, file } of messagesOf(stream, maxBytes)) {
    const { id } = (value ?? {}) as { readonly id?: unknown };
    if (typeof id !== "number") throw new Error("a request without a number");
    void answer(value, file).then((answered) => {
      if (stream.writable) writeMessage(stream, { ...answered.answer, id }, answered.file);
    });
  }
}
