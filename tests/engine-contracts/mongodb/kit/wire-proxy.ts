import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { MongoClient } from "mongodb";
import { type WireMessage, WireMessages } from "./wire-messages.ts";

const WRITES = new Set(["insert", "update", "delete", "findAndModify", "create", "createIndexes", "drop"]);

/** What becomes of a command: it is done and answered, done without the answer coming through, or never done. */
export type CommandOutcome = "answered" | "done" | "lost";

/**
 * Stands between clients and a server, and decides what becomes of each command. FerretDB 1 changes a document by
 * reading and writing it back, so of two changes at once one may be lost; MongoDB never does that. In front of such a
 * server, changes are let through one at a time.
 */
export class WireProxy {
  readonly url: string;
  /** Asked for each command; everything is answered unless told. */
  outcomeOf: (message: WireMessage) => CommandOutcome = () => "answered";
  /** Takes connections and commands, and answers nothing. */
  isSilent = false;
  readonly #server: net.Server;
  readonly #upstream: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  readonly #oneAtATime: boolean;
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(server: net.Server, url: URL, oneAtATime: boolean) {
    this.#server = server.on("connection", (client) => this.#connect(client));
    this.#upstream = { host: url.hostname, port: Number(url.port) };
    this.#oneAtATime = oneAtATime;
    const through = new URL(url);
    through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The server may call itself by another address, which would lead around this one.
    through.searchParams.set("directConnection", "true");
    this.url = through.href;
  }

  static async start(url: string): Promise<WireProxy> {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WireProxy(server, new URL(url), await losesChanges(url));
  }

  /** Ends the connections there are; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #connect(client: Socket): void {
    const upstream = net.connect(this.#upstream);
    const commands = new WireMessages();
    const answers = new WireMessages();
    const waiting = new Map<number, (answer: Buffer | undefined) => void>();
    const end = () => {
      client.destroy();
      upstream.destroy();
      for (const answered of waiting.values()) answered(undefined);
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    const ask = (message: WireMessage) =>
      new Promise<Buffer | undefined>((resolve) => {
        waiting.set(message.requestId, resolve);
        upstream.write(message.bytes);
      });
    upstream.on("data", (bytes: Buffer) => {
      for (const { bytes: answer } of answers.push(bytes)) {
        const to = answer.readInt32LE(8);
        const answered = waiting.get(to);
        waiting.delete(to);
        // A server may go on answering a heartbeat.
        if (answered !== undefined) answered(Buffer.from(answer));
        else if (!this.isSilent) client.write(answer);
      }
    });
    let last: Promise<unknown> = Promise.resolve();
    client.on("data", (bytes: Buffer) => {
      for (const message of commands.push(bytes)) {
        const copy = { ...message, bytes: Buffer.from(message.bytes) };
        last = last.then(() => this.#pass(copy, ask, client));
      }
    });
  }

  async #pass(
    message: WireMessage,
    ask: (message: WireMessage) => Promise<Buffer | undefined>,
    client: Socket,
  ): Promise<void> {
    if (this.isSilent) return;
    const fate = this.outcomeOf(message);
    if (fate === "lost") {
      client.destroy();
      return;
    }
    const answer = await (this.#oneAtATime && WRITES.has(message.command ?? "")
      ? this.#inTurn(() => ask(message))
      : ask(message));
    if (this.isSilent || answer === undefined) return;
    if (fate === "done") client.destroy();
    else client.write(answer);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastWrite.then(work);
    this.#lastWrite = turn;
    return turn;
  }
}

async function losesChanges(url: string): Promise<boolean> {
  const client = new MongoClient(url);
  try {
    return "ferretdbVersion" in (await client.db().command({ buildInfo: 1 }));
  } finally {
    await client.close();
  }
}
