import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a service behind the proxy saw it. */
export interface ReceivedRequest {
  readonly method: string;
  /** As it was sent: nothing decoded. */
  readonly target: string;
  readonly headers: http.IncomingHttpHeaders;
}

type Responder = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A service that is none: it notes what arrives, and answers as it is told. */
export class FakeService {
  readonly url: string;
  /** Noted when the head has arrived. */
  readonly received: ReceivedRequest[] = [];
  /** How many connections were made to it. */
  connections = 0;
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", () => {
      this.connections += 1;
    });
    server.prependListener("request", ({ method = "", url = "", headers }: http.IncomingMessage) => {
      this.received.push({ method, target: url, headers });
    });
  }

  /**
   * @param answer unless told: 200 with its name, when all of the request has arrived.
   * @param port 0: any free one.
   */
  static async start(name: string, answer: Responder = respondWithName(name), port = 0): Promise<FakeService> {
    const server = http.createServer(answer);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return new FakeService(server);
  }

  /** From now on nobody listens at its address. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** 200 with a name, when all of the request has arrived. */
export function respondWithName(name: string): Responder {
  return (request, response) => {
    request.resume().once("end", () => {
      response.setHeader("Content-Type", "application/json; charset=utf-8");
      response.end(JSON.stringify({ service: name }));
    });
  };
}

/** Takes the request in and goes away without a word. */
export const dropConnection: Responder = (request) => {
  request.resume().once("end", () => request.socket.destroy());
};
