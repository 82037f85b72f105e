import type { Toxic, ToxiproxyApi } from "./api.ts";

/** A way to a server that can be disturbed. Every disturbance lasts until `restore`; several can be on at a time. */
export interface FaultProxy {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** What it was made for, by way of the proxy. */
  readonly url: string;
  /** The cable is cut: nothing passes in either direction, nothing is closed, new connections open and stay silent. */
  cut(): Promise<void>;
  /** The way back is lost: what clients send arrives and is done, and they hear nothing of it. */
  halfOpen(): Promise<void>;
  /** What the server sends arrives so much later, give or take the jitter. Milliseconds. */
  latency(ms: number, jitter?: number): Promise<void>;
  /** Connections are closed at once; new ones open and are reset when the client sends something. */
  reset(): Promise<void>;
  /** Nobody listens: connections are closed at once, new ones refused. */
  down(): Promise<void>;
  /** All is well for connections from here on; those that `cut` and `halfOpen` kept silent are closed. */
  restore(): Promise<void>;
}

const silence = (stream: Toxic["stream"]): Toxic => ({
  name: `silence-${stream}`,
  type: "timeout",
  stream,
  attributes: { timeout: 0 },
});

export class ToxicProxy implements FaultProxy {
  readonly #api: ToxiproxyApi;
  readonly #name: string;
  readonly port: number;
  readonly url: string;
  readonly #toxics = new Set<string>();

  constructor(api: ToxiproxyApi, name: string, port: number, url: string) {
    this.#api = api;
    this.#name = name;
    this.port = port;
    this.url = url;
  }

  async cut(): Promise<void> {
    await this.#add(silence("upstream"));
    await this.#add(silence("downstream"));
  }

  async halfOpen(): Promise<void> {
    await this.#add(silence("downstream"));
  }

  async latency(ms: number, jitter = 0): Promise<void> {
    await this.#add({ name: "latency", type: "latency", stream: "downstream", attributes: { latency: ms, jitter } });
  }

  async reset(): Promise<void> {
    await this.#add({ name: "reset", type: "reset_peer", stream: "upstream", attributes: { timeout: 0 } });
    // Those that were open before would be closed only when they next carry something.
    await this.down();
    await this.#api.enable(this.#name, true);
  }

  async down(): Promise<void> {
    await this.#api.enable(this.#name, false);
  }

  async restore(): Promise<void> {
    for (const toxic of [...this.#toxics]) await this.#remove(toxic);
    await this.#api.enable(this.#name, true);
  }

  async #add(toxic: Toxic): Promise<void> {
    await this.#remove(toxic.name);
    await this.#api.addToxic(this.#name, toxic);
    this.#toxics.add(toxic.name);
  }

  async #remove(toxic: string): Promise<void> {
    if (this.#toxics.delete(toxic)) await this.#api.removeToxic(this.#name, toxic);
  }
}
