import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { BSON } from "mongodb";

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_MSG = 2013;
/** Behind the header: flags, and the kind of the one section. */
const MESSAGE_BYTES = HEADER_BYTES + 4 + 1;
/** Behind the header: flags, the id of the cursor, where it starts and how many documents follow. */
const REPLY_BYTES = HEADER_BYTES + 20;

const HELLO = {
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
  ok: 1,
};

/** Says hello to the driver as a single server without streamed heartbeats does, answers pings, and nothing else. */
export class FakeServer {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(server: net.Server) {
    this.#server = server.on("connection", (socket) => this.#serve(socket));
  }

  static async start(): Promise<FakeServer> {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FakeServer(server);
  }

  get url(): string {
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All connections at once; new ones are taken. */
  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What the driver sends from now on stays in the socket's buffers. */
  stopReading(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  stop(): void {
    this.closeConnections();
    this.#server.close();
  }

  #serve(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", () => undefined);
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        const answer = answerTo(received.subarray(0, length));
        if (answer !== undefined) socket.write(answer);
        received = received.subarray(length);
      }
    });
  }
}

/** An answer to hello and ping, in the form of the question. */
function answerTo(message: Buffer): Buffer | undefined {
  const kind = message.readInt32LE(12);
  const command = kind === OP_MSG ? BSON.deserialize(message.subarray(MESSAGE_BYTES)) : HELLO;
  if (!["hello", "ismaster", "ping"].some((name) => name in command)) return undefined;
  const body = BSON.serialize(HELLO);
  const head = Buffer.alloc(kind === OP_MSG ? MESSAGE_BYTES : REPLY_BYTES);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(kind === OP_MSG ? OP_MSG : OP_REPLY, 12);
  if (kind !== OP_MSG) head.writeInt32LE(1, REPLY_BYTES - 4);
  return Buffer.concat([head, body]);
}
