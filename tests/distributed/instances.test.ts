import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { ApiClient } from "../support/api-client.ts";
import { Installation } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import { until } from "../support/until.ts";
import { openInstallation } from "./kit/open-installation.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const LIMIT = 100;
const FURTHER = 50;

interface Booking {
  readonly id: string;
  readonly reference: string | null;
}

/** Two of each service; the tests talk to single instances, past the proxy. */
describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis, proxy: needsProxy },
  "several instances of every service",
  ({ eventStore, mongo, redis }) => {
    let installation: Installation;
    let apiKey: string;

    beforeAll(async () => {
      ({ installation, apiKey } = await openInstallation({
        servers: serversAt({ eventStore, mongo, redis }),
        instances: { "command-service": 2, "query-service": 2, projector: 2 },
        env: { SANDBOX_CLOCK: "true" },
        flights: [
          { id: "IN-1", departsIn: 60, rows: [10, 109] },
          { id: "IN-2", departsIn: 60 },
        ],
      }));
    });
    afterAll(() => installation.discard());

    const at = (url: string | undefined) => new RetryingApi(url ?? "", { apiKey });
    const commands = () => installation.of("command-service").map(({ url }) => at(url));
    const queries = () => installation.of("query-service").map(({ url }) => at(url));

    test("whoever wrote at one instance reads it at every other, at once", async () => {
      for (let round = 0; round < 8; round += 1) {
        for (const command of commands()) {
          const booked = await command.post<Booking>("/v1/bookings", {
            flightId: "IN-1",
            cabin: "economy",
            passengers: PASSENGERS,
          });
          expect(booked.status).toBe(201);
          for (const query of queries()) {
            expect((await query.get(`/v1/bookings/${booked.body.id}`)).status).toBe(200);
          }
          const reference = `round ${round}`;
          expect((await command.patch(`/v1/bookings/${booked.body.id}`, { reference })).status).toBe(200);
          for (const query of queries()) {
            expect((await query.get<Booking>(`/v1/bookings/${booked.body.id}`)).body.reference).toBe(reference);
          }
        }
      }
    });

    test("one key sent to both command-services at once is one booking", async () => {
      for (let round = 0; round < 20; round += 1) {
        const headers = { "Idempotency-Key": `twins-${round}` };
        const body = { flightId: "IN-1", cabin: "economy", passengers: PASSENGERS };
        const answers = await Promise.all(
          [...commands(), ...commands()].map((command) => command.post<Booking>("/v1/bookings", body, headers)),
        );
        expect(answers.map(({ status }) => status)).toStrictEqual([201, 201, 201, 201]);
        expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
      }
    });

    test("one e-mail address sent to both command-services at once is one passenger's", async () => {
      for (let round = 0; round < 20; round += 1) {
        const email = `traveller.${round}@example.com`;
        const body = { firstName: "Ada", lastName: "Lovelace", dateOfBirth: "1985-12-10", nationality: "GB" };
        const answers = await Promise.all(
          [...commands(), ...commands()].map((command, index) =>
            command.post<{ id: string }>("/v1/passengers", {
              ...body,
              email: index % 2 === 0 ? email : email.toUpperCase(),
            }),
          ),
        );
        expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([201, 409, 409, 409]);
        const made = answers.find(({ status }) => status === 201)?.body;
        for (const query of queries()) {
          const found = await query.get<{ data: readonly { id: string }[] }>(`/v1/passengers?email=${email}`);
          expect(found.body.data).toStrictEqual([made]);
        }
      }
    });

    test("500 clients, half of them at each command-service, on one flight: every seat once, and no server error", async () => {
      const body = { flightId: "IN-2", cabin: "economy", passengers: PASSENGERS };
      const clients = commands();
      const answers = await Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const client = clients[index % 2] as ApiClient;
          let answer = await client.post("/v1/bookings", body);
          // A machine that is slow refuses some, and says when to come back.
          while (answer.status === 503 && answer.headers.has("retry-after"))
            answer = await client.post("/v1/bookings", body);
          return answer;
        }),
      );
      const statuses = Map.groupBy(answers, (answer) => answer.status);
      expect([...statuses.keys()].toSorted()).toStrictEqual([201, 409]);
      // Ten rows of six.
      expect(statuses.get(201)).toHaveLength(60);
      const flight = await queries()[0]?.get<{ fares: { cabin: string; seatsLeft: number }[] }>("/v1/flights/IN-2");
      expect(flight?.body.fares.find(({ cabin }) => cabin === "economy")?.seatsLeft).toBe(0);
    });

    test("each projection runs on one projector; when that ends, the other has it", async () => {
      const held = async () => {
        const counts = new Map<string, number>();
        for (const { operatorUrl } of installation.of("projector")) {
          const text = await (await fetch(`${operatorUrl}/metrics`)).text();
          for (const [, name = "", value] of text.matchAll(/^projection_held\{projection="(\w+)"\} (\d)$/gm)) {
            counts.set(name, (counts.get(name) ?? 0) + Number(value));
          }
        }
        return counts;
      };
      const areHeldOnce = async () => [...(await held()).values()].every((count) => count === 1);
      await until(areHeldOnce);
      for (const projector of installation.of("projector")) {
        await projector.kill();
        // Read-your-writes waits for the projection: it answers once the other has taken over.
        const booked = await commands()[0]?.post<Booking>("/v1/bookings", {
          flightId: "IN-1",
          cabin: "economy",
          passengers: PASSENGERS,
        });
        const path = `/v1/bookings/${booked?.body.id}`;
        let read = await queries()[0]?.get(path);
        // Not readable yet is said so, and not answered with something older.
        while (read?.status === 503) read = await queries()[0]?.get(path);
        expect(read?.status).toBe(200);
        projector.restart();
        await projector.ready();
        // Each is taken over by itself, some sooner than others.
        await until(areHeldOnce);
      }
    });

    test("the clock moved through one command-service is moved for all", async () => {
      const held = await commands()[0]?.post<{ id: string }>("/v1/flights/IN-1/seat-holds", { seats: ["50A"] });
      expect(held?.status).toBe(201);
      expect((await installation.operator("POST", "/clock/advance", { seconds: 20 * 60 })).status).toBe(200);
      for (const query of queries()) {
        const map = await query.get<{ cabins: { rows: { seats: { number: string; status: string }[] }[] }[] }>(
          "/v1/flights/IN-1/seat-map",
        );
        const seats = map.body.cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
        expect(seats.find(({ number }) => number === "50A")?.status).toBe("available");
      }
      expect((await commands()[1]?.post("/v1/flights/IN-1/seat-holds", { seats: ["50A"] }))?.status).toBe(201);
    });

    test("the rate limit is one for all instances, and exact", async () => {
      const limited = await Installation.start({
        servers: serversAt({ eventStore, mongo, redis }),
        instances: { "command-service": 1, "query-service": 2, projector: 0, "webhook-dispatcher": 0 },
        env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), LOG_LEVEL: "warn" },
      });
      try {
        const { apiKey: other } = await limited.newApiKey();
        const instances = limited.of("query-service").map(({ url }) => new ApiClient(url, { apiKey: other }));
        const answers = await Promise.all(
          Array.from({ length: LIMIT + FURTHER }, (_, index) => instances[index % 2]?.get("/v1/destinations")),
        );
        // A minute may end meanwhile: what was asked in one is counted together.
        const windows = Map.groupBy(answers, (answer) => answer?.headers.get("x-ratelimit-reset"));
        for (const [reset, within] of windows) {
          const served = within.filter((answer) => answer?.status === 200).length;
          const refused = within.filter((answer) => answer?.status === 429).length;
          expect([reset, served, refused]).toStrictEqual([
            reset,
            Math.min(within.length, LIMIT),
            Math.max(within.length - LIMIT, 0),
          ]);
        }
      } finally {
        await limited.discard();
      }
    });
  },
);
