import { connect, type Socket } from "node:net";

/** What is attacked. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Many connections that behave alike. Each one that the service closes is opened again until the crowd leaves. */
export class Crowd {
  readonly #target: Target;
  readonly #behave: (socket: Socket) => void;
  readonly #sockets = new Set<Socket>();
  #left = false;
  /** Connections opened so far. */
  opened = 0;

  constructor(target: Target, size: number, behave: (socket: Socket) => void) {
    this.#target = target;
    this.#behave = behave;
    for (let member = 0; member < size; member += 1) this.#open();
  }

  /** Closes all of its connections. */
  leave(): void {
    this.#left = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(): void {
    const socket = connect(this.#target);
    this.#sockets.add(socket);
    socket.on("connect", () => {
      this.opened += 1;
      this.#behave(socket);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (!this.#left) setImmediate(() => this.#open());
    });
  }
}
