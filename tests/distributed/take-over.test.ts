import { afterEach, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { msUntilReleased } from "../support/released.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const FLIGHT = "TO-1";
const SEATS = ["10A"];

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis },
  "two instances on the same servers",
  ({ eventStore, mongo, redis }) => {
    const services: Service[] = [];
    afterEach(() => Promise.all(services.map((service) => service.discard())));

    test("what the one left that was killed, the other takes up before the recovery grace is over", async () => {
      const env = {
        EVENT_STORE_URL: eventStore.url,
        MONGODB_URL: `${mongo.url}`,
        REDIS_URL: redis.url,
        SECRET_KEY: "of-forty-three-visible-characters-and-not-fewer",
        RATE_LIMIT_PER_MINUTE: "0",
        LOG_LEVEL: "warn",
      };
      const dying = await Service.start({ env, simulated: { powerCutAt: "book:allocated" } });
      services.push(dying);
      await importFlights(dying, [{ id: FLIGHT, departsIn: 60 }]);
      const credential = await dying.newApiKey();
      const other = await Service.start({ env });
      services.push(other);
      const body = { flightId: FLIGHT, cabin: "economy", passengers: [{ name: "Ada", email: "ada@example.com" }] };
      const request = new ApiClient(dying.baseUrl, credential).post("/v1/bookings", { ...body, seats: SEATS });
      await expect(request).rejects.toThrow();
      const api = new ApiClient(other.baseUrl, credential);
      await until(async () => (await api.post(`/v1/flights/${FLIGHT}/seat-holds`, { seats: SEATS })).status === 201);
      expect(await msUntilReleased(other, FLIGHT)).toBeLessThan(RECOVERY_GRACE);
    });
  },
);
