import { setTimeout as pause } from "node:timers/promises";
import type { Installation } from "./installation.ts";

const EVERY_MS = 50;
const WRITE_EVERY_MS = 500;

export interface Outcome {
  /** Of requests that need no database, with what they were answered: "GET 200", or what went wrong. */
  readonly requests: readonly string[];
  /** Statuses of writes, each repeated for as long as its answer asks for that. */
  readonly writes: readonly number[];
}

/** Twenty requests a second that need no database, by turns reads and writes without a credential, and a booking that is changed twice a second. */
export async function load(installation: Installation, ended: AbortSignal): Promise<Outcome> {
  const requests = sendRequests(installation.url, ended);
  const writes = changeBooking(installation, ended);
  return { requests: [...(await requests)].sort(), writes: [...(await writes)] };
}

async function sendRequests(url: string, ended: AbortSignal): Promise<ReadonlySet<string>> {
  const underWay: Promise<string>[] = [];
  for (let count = 0; !ended.aborted; count += 1) {
    underWay.push(outcomeOf(url, count % 2 === 0));
    await pause(EVERY_MS);
  }
  return new Set(await Promise.all(underWay));
}

async function outcomeOf(url: string, isRead: boolean): Promise<string> {
  const headers = { "content-type": "application/json" };
  return fetch(
    isRead ? `${url}/v1/openapi.json` : `${url}/v1/bookings`,
    isRead ? {} : { method: "POST", headers, body: "{}" },
  ).then(
    async (response) => {
      const said = await response.text();
      return `${isRead ? "GET" : "POST"} ${response.status}${response.ok || response.status === 401 ? "" : ` ${said}`}`;
    },
    (failure: Error) => String(failure.cause ?? failure),
  );
}

async function changeBooking(installation: Installation, ended: AbortSignal): Promise<ReadonlySet<number>> {
  const apiKey = await installation.newApiKey();
  const id = await installation.newBooking(apiKey);
  const statuses = new Set<number>();
  for (let count = 0; !ended.aborted; count += 1) {
    const body = JSON.stringify({ reference: `W-${count}` });
    const headers = { "Idempotency-Key": `w-${count}` };
    let status = 0;
    do {
      const response = await installation.api(apiKey, `/bookings/${id}`, { method: "PATCH", body, headers });
      await response.arrayBuffer();
      status = response.status;
      if (status >= 500) await pause(1_000 * Number(response.headers.get("retry-after") ?? Number.NaN));
    } while (status >= 500);
    statuses.add(status);
    await pause(WRITE_EVERY_MS);
  }
  return statuses;
}
