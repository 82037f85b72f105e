import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { operations } from "@travel-booking/api-contract";
import { TravelBooking } from "../src/index.ts";

const ROOM = path.resolve(import.meta.dirname, "..");

test("every operation has a method", async () => {
  const seen: string[] = [];
  const template = (method: string, url: string) => {
    const { pathname } = new URL(url);
    const fits = operations.filter(
      (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, "ID")}$`).test(pathname),
    );
    return fits.map(({ id }) => id).join();
  };
  const answer = async (input: string | URL | Request, init?: RequestInit) => {
    seen.push(template(init?.method ?? "GET", String(input)));
    const page = { nextCursor: null, hasMore: false };
    return Response.json({ data: [{ id: "x" }], page, access_token: "a", expires_in: 3600 });
  };
  const client = new TravelBooking({ baseUrl: "http://localhost", clientId: "i", clientSecret: "s", fetch: answer });
  const {
    bookings,
    destinations,
    disruptions,
    events,
    flights,
    loyalty,
    passengers,
    payments,
    seatHolds,
    webhookEndpoints,
  } = client;
  const calls: (() => unknown)[] = [
    () => destinations.list({ climate: "arid" }).page(),
    () => destinations.retrieve("ID"),
    () => flights.list().page(),
    () => flights.search(),
    () => flights.retrieve("ID"),
    () => flights.status("ID"),
    () => flights.seatMap("ID"),
    () => seatHolds.create("ID", { seats: ["1A"] }),
    () => seatHolds.retrieve("ID", "ID"),
    () => seatHolds.release("ID", "ID"),
    () => bookings.create({ flightId: "f", cabin: "first", passengers: [{ name: "n", email: "e" }] }),
    () => bookings.list().page(),
    () => bookings.retrieve("ID", { asOf: "2027-01-01T00:00:00Z" }),
    () => bookings.update("ID", { reference: null }),
    () => bookings.cancel("ID"),
    () => bookings.summary("ID"),
    () => bookings.cancellationQuote("ID"),
    () => bookings.history("ID").page(),
    () => bookings.disruptions("ID"),
    () => disruptions.list({ status: "open" }).page(),
    () => disruptions.retrieve("ID"),
    () => disruptions.alternatives("ID").page(),
    () => disruptions.accept("ID", { revision: 1 }),
    () => disruptions.rebook("ID", { revision: 1, flightId: "F" }),
    () => disruptions.refund("ID", { revision: 1 }),
    () => bookings.boardingPass("ID", { format: "json" }),
    () => client.boardingPassKeys(),
    () => bookings.uploadDocument("ID", new Blob(["x"])),
    () => bookings.documents("ID"),
    () => passengers.create({ firstName: "a", lastName: "b", email: "c", dateOfBirth: "d", nationality: "NZ" }),
    () => passengers.list().page(),
    () => passengers.retrieve("ID"),
    () => passengers.update("ID", { passport: null, preferences: { meal: "vegan" } }),
    () => passengers.delete("ID"),
    () => payments.create("ID", { type: "bank_transfer" }, { idempotencyKey: "k" }),
    () => bookings.payments("ID").page(),
    () => payments.list({ status: "pending" }).page(),
    () => payments.retrieve("ID"),
    () => payments.refund("ID"),
    () => loyalty.account(),
    () => loyalty.transactions({ type: "earn" }).page(),
    () => loyalty.redeem({ reward: "lounge_access" }),
    () => events.list().page(),
    () => events.retrieve("ID"),
    () => webhookEndpoints.create({ url: "https://example.com", events: ["booking.changed"] }),
    () => webhookEndpoints.list(),
    () => webhookEndpoints.retrieve("ID"),
    () => webhookEndpoints.update("ID", { maxPerSecond: null }),
    () => webhookEndpoints.delete("ID"),
    () => webhookEndpoints.test("ID", { type: "booking.changed" }),
    () => webhookEndpoints.deliveries("ID").page(),
    () => webhookEndpoints.status("ID"),
    () => webhookEndpoints.resume("ID"),
    () => webhookEndpoints.rotateSecret("ID"),
    () => webhookEndpoints.replay("ID", { since: "2027-01-01T00:00:00Z" }),
    () => client.interfaceDescription(),
  ];
  for (const call of calls) await call();
  expect(seen.sort()).toStrictEqual(operations.map(({ id }) => id).sort());
});

test("the types are those of the interface description (npm run generate)", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "travel-booking-types-"));
  const made = path.join(folder, "generated.ts");
  try {
    execFileSync(process.execPath, [path.join(ROOM, "scripts/generate-types.ts"), made], { stdio: "pipe" });
    expect(fs.readFileSync(path.join(ROOM, "src/generated.ts"), "utf8")).toBe(fs.readFileSync(made, "utf8"));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test("without an address there is no client", () => {
  const options = { apiKey: "tb_1" } as unknown as ConstructorParameters<typeof TravelBooking>[0];
  expect(() => new TravelBooking(options)).toThrow(new TypeError("baseUrl is required: the address of the service"));
});
