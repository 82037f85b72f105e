import { afterEach, expect, test } from "@jest/globals";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { appendPoisonEventsTo } from "../support/poison-event.ts";
import { Service } from "../support/service.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const ENV = {
  RATE_LIMIT_PER_MINUTE: "1000",
  LOG_LEVEL: "warn",
  SECRET_KEY: "a-secret-key-of-forty-three-visible-characters",
};

type Urls = Partial<Record<"EVENT_STORE_URL" | "MONGODB_URL" | "REDIS_URL", string>>;

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis },
  "one process with",
  ({ eventStore, mongo, redis }) => {
    let service: Service | undefined;
    let flights = 0;
    afterEach(() => service?.discard());

    test.each<[string, () => Urls]>([
      ["the read models on a server", () => ({ MONGODB_URL: `${mongo.url}` })],
      ["limits in Redis", () => ({ REDIS_URL: redis.url })],
      [
        "every engine a server",
        () => ({ EVENT_STORE_URL: eventStore.url, MONGODB_URL: otherDatabase(mongo.url), REDIS_URL: redis.url }),
      ],
      ["the log on a server and the rest embedded", () => ({ EVENT_STORE_URL: eventStore.url })],
    ])("%s: a journey, and after a restart everything is there", async (_, urls) => {
      const env = { ...ENV, ...urls() };
      service = await Service.start({ env });
      // One log server serves several cases.
      flights += 1;
      const flightId = `ONE-${flights}`;
      await importFlights(service, [{ id: flightId, departsIn: 60 }]);
      const { apiKey } = await service.newApiKey();
      const before = new RetryingApi(service.baseUrl, { apiKey });
      const booked = await before.post<{ id: string }>("/v1/bookings", {
        flightId,
        cabin: "economy",
        passengers: PASSENGERS,
      });
      expect(booked.status).toBe(201);
      const path = `/v1/bookings/${booked.body.id}`;
      const paid = await before.post(
        `${path}/payments`,
        { type: "card", token: "tok_visa" },
        { "Idempotency-Key": "pay" },
      );
      expect(paid.status).toBe(201);
      const confirmed = await before.get<{ status: string }>(path);
      expect([confirmed.status, confirmed.body.status]).toStrictEqual([200, "confirmed"]);
      const { dataDir } = service;
      expect((await service.stop()).code).toBe(0);

      service = await Service.start({ dataDir, env });
      const after = new RetryingApi(service.baseUrl, { apiKey });
      expect((await after.get(path)).body).toStrictEqual(confirmed.body);
      const again = await after.post(
        `${path}/payments`,
        { type: "card", token: "tok_visa" },
        { "Idempotency-Key": "pay" },
      );
      expect([again.status, again.headers.get("idempotent-replayed")]).toStrictEqual([201, "true"]);
      expect(again.body).toStrictEqual(paid.body);
    });

    test("every engine a server: it delivers under a lease, also while the clock moves, for another process may run beside it", async () => {
      const mongodbUrl = otherDatabase(mongo.url, "_leased");
      const connection = openMongo(mongodbUrl);
      const state = openMongoStateStore(connection);
      await state.create("leases", "webhook-dispatcher", { holder: "another process" });
      const urls = { EVENT_STORE_URL: eventStore.url, MONGODB_URL: mongodbUrl, REDIS_URL: redis.url };
      service = await Service.start({ env: { ...ENV, ...urls, SANDBOX_CLOCK: "true" } });
      await importFlights(service, [{ id: "LEASED", departsIn: 60 }]);
      const api = new RetryingApi(service.baseUrl, await service.newApiKey());
      const asked = { flightId: "LEASED", cabin: "economy", passengers: PASSENGERS };
      expect((await api.post("/v1/bookings", asked)).status).toBe(201);
      expect((await service.operator("POST", "/clock/advance", { seconds: 60 })).status).toBe(200);
      // Its event was fanned out: by who had the lease by then.
      const holder = async () =>
        (await state.get<{ readonly holder: string | null }>("leases", "webhook-dispatcher"))?.value.holder;
      const instances = await state.list("instances", { limit: 10 });
      expect(instances.map(({ key }) => key)).toStrictEqual([await holder()]);
      await connection.close();
    });

    test("the read models on a server: what was skipped before a restart stays skipped", async () => {
      const env = { ...ENV, MONGODB_URL: otherDatabase(mongo.url, "_poisoned") };
      service = await Service.start({ env });
      const { dataDir } = service;
      const restart = async (meanwhile?: () => Promise<void>) => {
        await service?.stop();
        await meanwhile?.();
        service = await Service.start({ dataDir, env });
      };
      await restart(() => appendPoisonEventsTo(dataDir));
      const cli = (...line: readonly string[]) => operatorJson({ DATA_DIR: dataDir }, "projection", ...line);
      expect(await cli("skip", "bookings")).toMatchObject({ state: "live", skipped: [expect.any(String)] });
      await restart();
      expect(await cli("rebuild", "bookings")).toMatchObject({ name: "bookings" });
    });
  },
);

/** The log is another one, so the read models must be others, too. */
function otherDatabase(url: string, suffix = "_other"): string {
  const other = new URL(url);
  other.pathname += suffix;
  return other.href;
}
