import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import { bookingRequest, PASSENGERS } from "../data/booking-request.ts";
import type { LoadJob, LoadReport, RequestSource, RequestTemplate, SeatBlock } from "../load/job.ts";
import { type BenchAccount, openAccount } from "../service/account.ts";
import type { BenchService } from "../service/bench-service.ts";
import { importBenchFlights } from "../service/import-bench-flights.ts";
import { Service } from "../service/service.ts";

export const CONNECTIONS = 64;
/** An answer that waits for a flush needs others under way meanwhile to show what the server can do. */
const COMMAND_CONNECTIONS = 256;
/** No server under test is faster. */
const MAX_PER_SECOND = 60_000;
const MANY_FLIGHTS = 200;
const BUSY_GENERATOR = 0.9;

export type Command = "hold" | "book";
export type FlightSpread = "one flight" | "many flights";

/** The service under test and the load generator, each in a process of its own. */
export class HttpBench {
  readonly service: BenchService;
  readonly account: BenchAccount;
  readonly #bench: Bench;
  readonly #generator: Child<LoadJob, LoadReport>;

  private constructor(bench: Bench, service: BenchService, account: BenchAccount) {
    this.#bench = bench;
    this.service = service;
    this.account = account;
    this.#generator = new Child(new URL("../load/main.ts", import.meta.url));
    bench.atEnd(() => this.#generator.stop());
  }

  /** Of the standalone service. */
  static async start(bench: Bench): Promise<HttpBench> {
    const service = await Service.start(bench.folder());
    bench.atEnd(() => service.stop());
    return new HttpBench(bench, service, await openAccount(service));
  }

  async load(
    job: Omit<LoadJob, "connections" | "seconds"> & Partial<Pick<LoadJob, "connections" | "seconds">>,
  ): Promise<LoadReport> {
    const report = await this.#generator.run({
      seconds: this.#bench.options.seconds,
      connections: CONNECTIONS,
      ...job,
    });
    if (job.pace.kind === "closed" && report.generatorLoad > BUSY_GENERATOR) {
      this.#bench.say(`the load generator used ${report.generatorLoad.toFixed(2)} of a core: the server may be faster`);
    }
    return report;
  }

  /** Holds or books on flights imported for this run; returns once the read models have caught up. */
  async commands(command: Command, where: FlightSpread): Promise<LoadReport> {
    const { port } = this.service;
    const source = await this.#prepare(command, where);
    const job = { port, source, expectedStatus: 201, pace: { kind: "closed" } } as const;
    const report = await this.load({ ...job, connections: COMMAND_CONNECTIONS });
    await this.service.idle();
    return report;
  }

  /** A booking on a flight of its own with room for a whole run. */
  async freshBooking(): Promise<RequestTemplate> {
    const source = await this.#prepare("book", "one flight");
    const message = source.kind === "cycle" ? source.messages[0] : undefined;
    if (message === undefined) throw new Error("no flight was imported");
    return message;
  }

  /** Imports flights with room for a run of any speed. */
  async #prepare(command: Command, where: FlightSpread): Promise<RequestSource> {
    const requests = Math.ceil(MAX_PER_SECOND * this.#bench.options.seconds);
    const seats = command === "hold" ? requests : requests * PASSENGERS;
    const flights = await importBenchFlights(this.service, seats, where === "many flights" ? MANY_FLIGHTS : undefined);
    await this.service.idle();
    const headers = this.account.writer;
    if (command === "book") return bookings(flights, where, headers);
    const order = where === "one flight" ? "flight-by-flight" : "spread";
    return { kind: "holds", flights, order, headers };
  }
}

/** On one flight: until it is full, then on the next. On many: each request on another. */
function bookings(
  flights: readonly SeatBlock[],
  where: FlightSpread,
  headers: RequestTemplate["headers"],
): RequestSource {
  const messages = flights.map(({ flightId }): RequestTemplate => {
    return { method: "POST", path: "/v1/bookings", headers, body: bookingRequest(flightId) };
  });
  const [{ columns, rows } = { columns: "", rows: 0 }] = flights;
  const room = Math.floor((columns.length * rows) / PASSENGERS);
  return { kind: "cycle", messages, repeat: where === "one flight" ? room : 1 };
}
