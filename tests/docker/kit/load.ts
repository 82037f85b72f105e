import { setTimeout as pause } from "node:timers/promises";

const EVERY_MS = 50;

/** Twenty requests a second that need no database, by turns reads and refused writes, until it is ended. */
export class Load {
  readonly #ended = new AbortController();
  readonly #statuses = new Map<string, number>();
  readonly #done: Promise<void>;

  constructor(url: string) {
    this.#done = this.#run(url);
  }

  /** How many of each: "GET 200", or an error's code. */
  async end(): Promise<Readonly<Record<string, number>>> {
    this.#ended.abort();
    await this.#done;
    return Object.fromEntries(this.#statuses);
  }

  async #run(url: string): Promise<void> {
    const underWay: Promise<void>[] = [];
    for (let count = 0; !this.#ended.signal.aborted; count += 1) {
      underWay.push(this.#request(url, count % 2 === 0));
      await pause(EVERY_MS);
    }
    await Promise.all(underWay);
  }

  async #request(url: string, isRead: boolean): Promise<void> {
    const headers = { "content-type": "application/json", "x-api-key": "nobody's" };
    const outcome = await fetch(
      isRead ? `${url}/v1/openapi.json` : `${url}/v1/bookings`,
      isRead ? {} : { method: "POST", headers, body: "{}" },
    ).then(
      async (response) => {
        await response.arrayBuffer();
        return `${isRead ? "GET" : "POST"} ${response.status}`;
      },
      (failure: Error) => String(failure.cause ?? failure),
    );
    this.#statuses.set(outcome, (this.#statuses.get(outcome) ?? 0) + 1);
  }
}
