/** What a client sends and is answered, as far as a proxy between them has to know (MongoDB's wire protocol, OP_MSG). */
export interface WireMessage {
  readonly bytes: Buffer;
  readonly requestId: number;
  /** What a command is called; undefined for an answer. */
  readonly command: string | undefined;
  readonly collection: string | undefined;
}

const HEADER = 16;
const OP_MSG = 2_013;
/** Behind the header: four bytes of flags, one for the kind of the section, four for its length, one for a type. */
const FIRST_NAME = HEADER + 4 + 1 + 4 + 1;
const STRING = 2;

/** Cuts a stream of bytes into messages. */
export class WireMessages {
  #rest = Buffer.alloc(0);

  *push(bytes: Buffer): Generator<WireMessage> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= HEADER && this.#rest.length >= this.#rest.readInt32LE(0)) {
      const length = this.#rest.readInt32LE(0);
      yield messageOf(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
  }
}

function messageOf(bytes: Buffer): WireMessage {
  const requestId = bytes.readInt32LE(4);
  const isCommand = bytes.readInt32LE(8) === 0 && bytes.readInt32LE(12) === OP_MSG;
  if (!isCommand) return { bytes, requestId, command: undefined, collection: undefined };
  const end = bytes.indexOf(0, FIRST_NAME);
  const command = bytes.toString("utf8", FIRST_NAME, end);
  // The first field is called as the command is; of one on a collection its value is the collection's name.
  const length = bytes[FIRST_NAME - 1] === STRING ? bytes.readInt32LE(end + 1) - 1 : undefined;
  const collection = length === undefined ? undefined : bytes.toString("utf8", end + 5, end + 5 + length);
  return { bytes, requestId, command, collection };
}
