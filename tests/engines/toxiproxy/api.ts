/** A fault that Toxiproxy puts on one direction of a proxy's connections. */
export interface Toxic {
  readonly name: string;
  readonly type: "latency" | "timeout" | "reset_peer";
  /** `upstream`: what the client sends; `downstream`: what it is answered. */
  readonly stream: "upstream" | "downstream";
  /** Times in milliseconds. */
  readonly attributes: Readonly<Record<string, number>>;
}

/** Toxiproxy's HTTP API, as far as it is used here. */
export class ToxiproxyApi {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async createProxy(name: string, listen: string, upstream: string): Promise<void> {
    await this.#call("POST", "/proxies", { name, listen, upstream, enabled: true });
  }

  /** A proxy that is not enabled refuses connections and has closed those it had. */
  async enable(proxy: string, enabled: boolean): Promise<void> {
    await this.#call("PATCH", `/proxies/${proxy}`, { enabled });
  }

  async addToxic(proxy: string, toxic: Toxic): Promise<void> {
    await this.#call("POST", `/proxies/${proxy}/toxics`, { ...toxic, toxicity: 1 });
  }

  async removeToxic(proxy: string, toxic: string): Promise<void> {
    await this.#call("DELETE", `/proxies/${proxy}/toxics/${toxic}`);
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Toxiproxy answered ${method} ${path} with ${answer.status}: ${text}`);
  }
}
