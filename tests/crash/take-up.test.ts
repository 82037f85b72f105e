import { afterEach, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { msUntilReleased } from "../support/released.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const FLIGHT = "TU-1";
const SEATS = ["10A", "10B"];
const PASSENGERS = [
  { name: "Ada Lovelace", email: "ada@example.com" },
  { name: "Alan Turing", email: "alan@example.com" },
];

let service: Service | undefined;
afterEach(() => service?.discard());

/** A service that was killed while it booked, and runs again; what it was asked, under a key. */
async function killedWhileBooking() {
  // With credit: its claim waits until the seats are the booking's for good.
  const dying = await Service.start({ simulated: { powerCutAt: "book:credit-claimed" } });
  service = dying;
  await importFlights(dying, [{ id: FLIGHT, departsIn: 60 }]);
  const credential = await dying.newApiKey();
  const { accountId } = credential;
  await dying.operator("POST", "/loyalty/adjustments", { accountId, points: 100_000, reason: "to be spent" });
  const redeeming = new ApiClient(dying.baseUrl, credential).post("/v1/loyalty/redemptions", {
    reward: "booking_credit",
  });
  expect((await redeeming).status).toBe(201);
  const book = (client: ApiClient) =>
    client.post<{ seats: readonly string[] }>(
      "/v1/bookings",
      { flightId: FLIGHT, cabin: "economy", passengers: PASSENGERS, seats: SEATS },
      { "Idempotency-Key": "book" },
    );
  await expect(book(new ApiClient(dying.baseUrl, credential))).rejects.toThrow();
  expect((await dying.ended).signal).toBe("SIGKILL");
  service = await Service.start({ dataDir: dying.dataDir });
  return { api: new ApiClient(service.baseUrl, credential), book };
}

test("a restart takes up what a crash left: the seats are free before the recovery grace is over", async () => {
  const { api } = await killedWhileBooking();
  await until(async () => (await api.post(`/v1/flights/${FLIGHT}/seat-holds`, { seats: SEATS })).status === 201);
  expect(await msUntilReleased(service as Service, FLIGHT)).toBeLessThan(RECOVERY_GRACE);
});

test("the same request under its key gets its booking, though the crash's was undone", async () => {
  const { api, book } = await killedWhileBooking();
  const booked = await book(api);
  expect([booked.status, booked.body.seats]).toStrictEqual([201, SEATS]);
  const again = await book(api);
  expect([again.body, again.headers.get("idempotent-replayed")]).toStrictEqual([booked.body, "true"]);
});
