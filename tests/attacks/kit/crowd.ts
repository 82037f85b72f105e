import { connect, type Socket } from "node:net";

/** What is attacked. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

interface CrowdOptions {
  /** Each member comes from an address of its own, where the machine has so many. */
  readonly fromEverywhere?: boolean;
}

/** Many connections that behave alike. Each one that is closed is opened again until the crowd leaves. */
export class Crowd {
  readonly #target: Target;
  readonly #behave: (socket: Socket) => void;
  readonly #fromEverywhere: boolean;
  readonly #sockets = new Set<Socket>();
  #left = false;
  /** Connections opened so far. */
  opened = 0;

  constructor(target: Target, size: number, behave: (socket: Socket) => void, options: CrowdOptions = {}) {
    this.#target = target;
    this.#behave = behave;
    // Only Linux has all of 127.0.0.0/8.
    this.#fromEverywhere = options.fromEverywhere === true && process.platform === "linux";
    for (let member = 0; member < size; member += 1) this.#open(member);
  }

  /** Closes all of its connections. */
  leave(): void {
    this.#left = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(member: number): void {
    const own = { localAddress: `127.8.${1 + (member >> 7)}.${1 + (member & 127)}` };
    const socket = connect({ ...this.#target, ...(this.#fromEverywhere && own) });
    this.#sockets.add(socket);
    socket.on("connect", () => {
      this.opened += 1;
      this.#behave(socket);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (!this.#left) setImmediate(() => this.#open(member));
    });
  }
}
