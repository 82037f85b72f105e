import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type EventStoreDouble, startEventStoreDouble } from "../engines/eventstoredb/index.ts";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";

const FLIGHT = "LARGE-1";
const SEATS = ["10A", "10B", "10C", "10D", "10E", "10F", "11A", "11B", "11C"];
const TOO_LARGE = {
  statusCode: 400,
  message: ["the request is too large: what follows from it can't be stored at once"],
  error: "Bad Request",
};

let eventStore: EventStoreDouble;
let service: Service;
let api: ApiClient;

beforeAll(async () => {
  eventStore = await startEventStoreDouble({ maxAppendSize: 3_000 });
  const env = {
    EVENT_STORE_URL: eventStore.url,
    SECRET_KEY: "of-forty-three-visible-characters-and-not-fewer",
    RATE_LIMIT_PER_MINUTE: "0",
    QUOTA_UNPAID_SEATS_PERCENT: "100",
  };
  service = await Service.start({ env });
  await importFlights(service, [{ id: FLIGHT, departsIn: 60 }]);
  api = new ApiClient(service.baseUrl, await service.newApiKey());
});
afterAll(async () => {
  await service?.discard();
  await eventStore?.stop();
});

const passengers = (name: string) => SEATS.map((_, index) => ({ name, email: `${index}@example.com` }));

test("a booking that the event store never takes is 400; its seats, its hold and its key stay free", async () => {
  const hold = await api.post<{ id: string }>(`/v1/flights/${FLIGHT}/seat-holds`, { seats: SEATS });
  const book = (name: string) =>
    api.post<{ seats: readonly string[] }>(
      "/v1/bookings",
      { flightId: FLIGHT, cabin: "economy", holdId: hold.body.id, passengers: passengers(name) },
      { "Idempotency-Key": "book" },
    );
  const refused = await book("A".repeat(200));
  expect([refused.status, refused.body]).toStrictEqual([400, TOO_LARGE]);
  expect((await api.get("/v1/bookings")).body).toMatchObject({ data: [] });
  const booked = await book("Ada Lovelace");
  expect([booked.status, booked.body.seats]).toStrictEqual([201, SEATS]);
});

test("a passenger that the event store never takes is 400, and the e-mail address stays free", async () => {
  const save = (metadata: object) =>
    api.post<{ id: string }>("/v1/passengers", {
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.com",
      dateOfBirth: "1985-12-10",
      nationality: "GB",
      metadata,
    });
  const refused = await save(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, "a".repeat(500)])));
  expect([refused.status, refused.body]).toStrictEqual([400, TOO_LARGE]);
  expect((await api.get("/v1/passengers")).body).toMatchObject({ data: [] });
  expect((await save({ tier: "gold" })).status).toBe(201);
});

test("many bookings at once, appended together, are more than the event store takes: each is stored all the same", async () => {
  const book = () =>
    api.post("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers: passengers("Ada").slice(0, 1) });
  const answers = await Promise.all(Array.from({ length: 40 }, book));
  expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 201));
});
