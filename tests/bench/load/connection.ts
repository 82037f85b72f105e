import { once } from "node:events";
import net from "node:net";
import { type RawResponse, ResponseReader } from "./response-reader.ts";

type Settle = (answer: RawResponse) => void;

/** A keep-alive connection with at most one request under way. A connection that breaks fails the whole run. */
export class Connection {
  readonly #socket: net.Socket;
  readonly #reader = new ResponseReader();
  #settle: Settle | undefined;

  private constructor(socket: net.Socket, fail: (error: Error) => void) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      try {
        this.#receive(chunk);
      } catch (error) {
        fail(error as Error);
      }
    });
    socket.on("error", fail);
    socket.on("end", () => fail(new Error("the server closed a connection")));
  }

  static async open(port: number, fail: (error: Error) => void): Promise<Connection> {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new Connection(socket, fail);
  }

  /** Sends one request; `settle` runs when its answer is there. */
  send(request: Buffer, settle: Settle): void {
    this.#settle = settle;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners("end");
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const answer = this.#reader.push(chunk);
    if (answer === undefined) return;
    const settle = this.#settle;
    this.#settle = undefined;
    if (settle === undefined) throw new Error("an answer nobody asked for");
    settle(answer);
  }
}
