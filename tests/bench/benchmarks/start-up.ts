import { type Bench, interleave } from "../bench.ts";
import { runOnce } from "../children/child.ts";
import { bookingRequest, PASSENGERS } from "../data/booking-request.ts";
import type { LoadJob, LoadReport, RequestTemplate } from "../load/job.ts";
import { openAccount } from "../service/account.ts";
import { importBenchFlights } from "../service/import-bench-flights.ts";
import { Service } from "../service/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { CONNECTIONS } from "./http-bench.ts";

const FEW_EVENTS = 10_000;
/** The flight gives the places, the booking comes into being. */
const EVENTS_PER_BOOKING = 2;
const FLIGHTS = 200;
const SPARE = 1.1;
const AN_HOUR = 3_600;

/** A data folder in which that many events were recorded, by booking. */
async function filledFolder(bench: Bench, events: number): Promise<string> {
  const folder = bench.folder();
  const service = await Service.start(folder);
  try {
    const limit = Math.ceil(events / EVENTS_PER_BOOKING);
    const { writer } = await openAccount(service);
    const flights = await importBenchFlights(service, limit * PASSENGERS * SPARE, FLIGHTS);
    const messages = flights.map(({ flightId }): RequestTemplate => {
      return { method: "POST", path: "/v1/bookings", headers: writer, body: bookingRequest(flightId) };
    });
    const job: LoadJob = {
      port: service.port,
      source: { kind: "cycle", messages, repeat: 1 },
      connections: CONNECTIONS,
      seconds: AN_HOUR,
      limit,
      expectedStatus: 201,
      pace: { kind: "closed" },
    };
    const { requests } = await runOnce<LoadJob, LoadReport>(new URL("../load/main.ts", import.meta.url), job);
    bench.say(`${requests} bookings made`);
    await service.idle();
  } finally {
    await service.stop();
  }
  return folder;
}

async function startAndStop(folder: string): Promise<number> {
  const service = await Service.start(folder);
  await service.stop();
  return service.millisecondsToReady;
}

/** P12 */
export const startUp: Benchmark = {
  goals: ["P12"],
  async measure(bench) {
    const few = await filledFolder(bench, FEW_EVENTS);
    const many = await filledFolder(bench, bench.options.events);
    const rounds = await interleave(bench, "start to ready", {
      reference: () => startAndStop(few),
      measured: () => startAndStop(many),
    });
    const note = `${bench.options.events} events against ${FEW_EVENTS}`;
    return [{ goal: "P12", subject: "", unit: "ms", rounds, note }];
  },
};
