import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FlightBody, SeatMapBody } from "@travel-booking/api-contract";
import { ADA, ALAN, Client, expectStatus } from "../end-to-end/kit/client.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";

/** What operators see and change of a flight (docs/rules.md#seats-and-fares-that-operators-change). */

const CATALOGUE = {
  destinations: [DESTINATIONS[0]],
  flights: [flightOf({ id: "OP-1", departsIn: 40 }, Date.now())],
};

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  client = new Client(service.baseUrl, await service.newApiKey());
  await importCatalogue(service, CATALOGUE);
});
afterAll(() => service.discard());

type Load = { readonly cabin: string; readonly seats: number; readonly blocked: number; readonly left: number };
interface Shown {
  readonly load: readonly (Load & { readonly booked: number; readonly held: number })[];
  readonly blocked: readonly object[];
  readonly bookings: number;
  readonly paid: readonly object[];
}
const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);
const run = (...line: readonly string[]) => operatorCli({ DATA_DIR: service.dataDir }, ...line);
const economy = ({ load }: Shown) => load.find(({ cabin }) => cabin === "economy");
const fareOf = async () =>
  (await client.get<FlightBody>("/v1/flights/OP-1")).body.fares.find(({ cabin }) => cabin === "economy");

test("a seat is blocked for everybody, counts as not left, and is given back", async () => {
  const before = await fareOf();
  const blocked = await cli<Shown>("flight", "block", "OP-1", "12c", "--reason", "armrest");
  expect(blocked.blocked).toStrictEqual([{ seat: "12C", reason: "armrest" }]);
  const { body } = await client.get<SeatMapBody>("/v1/flights/OP-1/seat-map");
  const seats = body.cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
  expect(seats.find(({ number }) => number === "12C")?.status).toBe("blocked");
  expect((await fareOf())?.seatsLeft).toBe((before?.seatsLeft ?? 0) - 1);
  await importCatalogue(service, CATALOGUE);
  const held = await client.post("/v1/flights/OP-1/seat-holds", { seats: ["12D"] });
  expectStatus(201, held);
  for (const [seat, why] of [
    ["12D", "seat is already held: 12D"],
    ["99Z", "no such seat on this flight: 99Z"],
  ] as const) {
    const { code, stderr } = await run("flight", "block", "OP-1", seat);
    expect([code, stderr.trim()]).toStrictEqual([1, why]);
  }
  expect((await cli<Shown>("flight", "unblock", "OP-1", "12C")).blocked).toStrictEqual([]);
});

test("a fare counts at once, and an import with another fare changes it again", async () => {
  const { amount = 0 } = (await fareOf()) ?? {};
  await cli("flight", "fare", "OP-1", "economy", "905.00");
  expect((await fareOf())?.amount).toBe(90_500);
  const { code, stderr } = await run("flight", "fare", "OP-1", "economy", "10000000000.01");
  expect([code, stderr]).toStrictEqual([1, "amount must be at most 1000000000000, as in the catalogue\n"]);
  await importCatalogue(service, CATALOGUE);
  expect((await fareOf())?.amount).toBe(amount);
});

test("the manifest has everybody as they board, now and at an earlier moment; the flight what they have paid", async () => {
  const { booking } = await client.paidBooking("OP-1", { passengers: [ADA], seats: ["14A"] });
  const between = new Date(Date.parse(booking.createdAt)).toISOString();
  const { id: later } = await client.newBooking("OP-1", { passengers: [ALAN], seats: ["13A"] });
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const now = lines((await run("flight", "manifest", "OP-1", "--json")).stdout);
  const row = { cabin: "economy", passport: "missing", sequence: expect.any(Number), code: expect.any(String) };
  const [ada, alan] = [
    { ...row, bookingId: booking.id, name: ADA.name, seat: "14A", status: "confirmed" },
    { ...row, bookingId: later, name: ALAN.name, seat: "13A", status: "pending" },
  ];
  expect(now).toStrictEqual([alan, ada]);
  const then = await run("flight", "manifest", "OP-1", "--as-of", between, "--json");
  expect(lines(then.stdout)).toStrictEqual([{ ...ada, status: "pending" }]);
  expect((await run("flight", "manifest", "OP-1")).stdout.split("\n")[0]).toBe(
    "sequence,seat,name,cabin,passport,status,code,bookingId",
  );
  const shown = await cli<Shown>("flight", "show", "OP-1");
  expect([shown.bookings, shown.paid]).toStrictEqual([2, [{ currency: "USD", amount: booking.totalAmount }]]);
  expect(economy(shown)).toMatchObject({ booked: 2, held: 1, blocked: 1 });
  expect((await run("flight", "manifest", "OP-1", "--as-of", "2020-01-01T00:00:00Z")).stderr.trim()).toBe(
    "no flight with this id at that moment",
  );
  expect((await run("flight", "manifest", "OP-1", "--as-of", "2120-01-01T00:00:00Z")).stderr.trim()).toBe(
    "asOf must not be in the future",
  );
});
