import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { ROOT, Service } from "../support/service.ts";

/** Files and functions of the product that a request meets. */
export interface Met {
  readonly files: readonly string[];
  readonly functions: number;
}

export interface CallsOfRequests {
  /** `POST /v1/bookings`, on the thread that answers and on the one that projects. */
  readonly booking: { readonly answering: Met; readonly projecting: Met };
  /** A list of 20 bookings. */
  readonly list: Met;
}

type Call = readonly [url: string, name: string];

const RECORDER = new URL("./record-calls.js", import.meta.url).href;
const FLIGHT = "measured";
const PARTY = [
  { name: "Ada Lovelace", email: "ada@example.com" },
  { name: "Alan Turing", email: "alan@example.com" },
];
/** Enough for caches to be filled, and for a whole page. */
const WARM_UP = 40;
const MAIN_THREAD = "0";
/** Of nothing but what runs by itself; nobody asks anything, which would be recorded. Longer than projecting a booking takes. */
const IDLE_MS = 2_000;

/** Starts the service as `npm start` does, and watches one request of each kind after a warm-up. */
export async function callsOfRequests(): Promise<CallsOfRequests> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "calls-"));
  const recorder = { NODE_OPTIONS: `--import ${RECORDER}`, CALLS_FOLDER: folder };
  const env = { ...recorder, RATE_LIMIT_PER_MINUTE: "0", QUOTA_UNPAID_SEATS_PERCENT: "100" };
  const service = await Service.start({ env });
  let signals = 0;

  const readCalls = (number: number, thread: string): readonly Call[] =>
    JSON.parse(fs.readFileSync(path.join(folder, `${number}-${thread}.json`), "utf8"));
  const threadsOf = (number: number) =>
    fs.readdirSync(folder).flatMap((file) => {
      const [signal, thread = ""] = file.replace(".json", "").split("-");
      return Number(signal) === number ? [thread] : [];
    });
  /** What each thread has called since the last time. */
  const taken = async () => {
    signals += 1;
    service.process.kill("SIGUSR2");
    const threads = threadsOf(0);
    while (threadsOf(signals).length < threads.length) await pause(20);
    // Written whole, a moment after it is there.
    await pause(200);
    return new Map(threads.map((thread) => [thread, readCalls(signals, thread)]));
  };

  try {
    await importFlights(service, [{ id: FLIGHT, departsIn: 100 }]);
    const api = new ApiClient(service.baseUrl, await service.newApiKey());
    const book = async () => {
      const { status } = await api.post("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers: PARTY });
      if (status !== 201) throw new Error(`a booking was answered ${status}`);
    };
    const list = () => api.get("/v1/bookings?limit=20");
    for (let count = 0; count < WARM_UP / 2; count += 1) await book();
    for (let count = 0; count < WARM_UP; count += 1) await list();

    await pause(IDLE_MS);
    await taken();
    await pause(IDLE_MS);
    const idle = await taken();
    const without = (calls: ReadonlyMap<string, readonly Call[]>, thread: string) => {
      const known = new Set((idle.get(thread) ?? []).map((call) => call.join()));
      return (calls.get(thread) ?? []).filter((call) => !known.has(call.join()));
    };
    await book();
    await pause(IDLE_MS);
    const ofBooking = await taken();
    await list();
    const ofList = await taken();
    const beside = [...ofBooking.keys()].filter((thread) => thread !== MAIN_THREAD);
    return {
      booking: {
        answering: met(without(ofBooking, MAIN_THREAD)),
        projecting: met(beside.flatMap((thread) => without(ofBooking, thread))),
      },
      list: met(without(ofList, MAIN_THREAD)),
    };
  } finally {
    await service.discard();
    fs.rmSync(folder, { recursive: true });
  }
}

function met(calls: readonly Call[]): Met {
  const own = calls
    .filter(([url]) => url.startsWith("file:"))
    .map(([url, name]) => [path.relative(ROOT, fileURLToPath(url)), name] as const)
    .filter(([file]) => /\/src\//.test(file) && !file.startsWith("node_modules"));
  const files = [...new Set(own.map(([file]) => file))].sort();
  return { files, functions: own.length };
}
