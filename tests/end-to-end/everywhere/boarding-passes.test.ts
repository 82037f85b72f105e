import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BoardingPassesBody, BookingBody } from "@travel-booking/api-contract";
import { browserForTests, type TestBrowser } from "../../boarding-passes/kit/browser.ts";
import { parseBcbp } from "../../boarding-passes/kit/parse-bcbp.ts";
import { barcodesIn } from "../../boarding-passes/kit/read-barcodes.ts";
import { pagesOf } from "../../boarding-passes/kit/read-pdf.ts";
import { retryDuringElections } from "../../support/retry-while-stale.ts";
import { ADA, ALAN, Client, expectStatus } from "../kit/client.ts";
import { expectProblems, expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

const GRACE = { name: "Grace Hopper", email: "grace@example.com" };

let browser: TestBrowser;
let world: World;
let carol: Client;
let apiKey: string;

beforeAll(async () => {
  browser = await browserForTests();
  world = await openWorld({
    flights: [
      { id: "KP442-20270301", departsIn: 60 },
      { id: "WISHES", departsIn: 60 },
      { id: "RACE", departsIn: 60 },
      { id: "DUE", departsIn: 30 },
    ],
    // One account fills flights.
    env: { BROWSER_PATH: browser.path, QUOTA_UNPAID_SEATS_PERCENT: "100" },
  });
  const issued = await world.service.newApiKey();
  apiKey = issued.apiKey;
  carol = new Client(world.service.baseUrl, issued);
});
afterAll(async () => {
  await world.discard();
  browser.discard();
});

const passPath = (id: string, query = "format=json") => `/v1/bookings/${id}/boarding-pass?${query}`;

async function passesOf(id: string, query?: string): Promise<BoardingPassesBody> {
  return expectStatus(200, await carol.get<BoardingPassesBody>(passPath(id, query)));
}

/** As a program downloads it: bytes. */
function download(path: string, method = "GET") {
  return retryDuringElections(async () => {
    const response = await fetch(`${world.service.baseUrl}${path}`, { method, headers: { "x-api-key": apiKey } });
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  });
}

async function changesOf(id: string): Promise<readonly unknown[]> {
  const { body } = await carol.get(`/v1/events?bookingId=${id}&type=booking.changed&order=asc`);
  return (body as { data: { data: { previousAttributes: unknown } }[] }).data.map(
    (event) => event.data.previousAttributes,
  );
}

describe("the data of a boarding pass", () => {
  test("every field, one pass per passenger or that of one", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301", {
      passengers: [ADA, ALAN],
      seats: ["12A", "17C"],
      reference: "trip 1",
    });
    const passes = await passesOf(booking.id);
    const flight = (await carol.get<{ departsAt: string }>("/v1/flights/KP442-20270301")).body;
    const boardingAt = new Date(Date.parse(flight.departsAt) - 45 * 60_000).toISOString();
    const common = {
      flightId: "KP442-20270301",
      from: "LEO",
      destination: { id: "kepler-442b", name: "Kepler-442b" },
      departsAt: flight.departsAt,
      boardingAt,
      cabin: "economy",
      memberNumber: null,
      documentCheck: "missing",
    };
    const barcodeOf = (index: number) => ({ format: "aztec", message: passes.passes[index]?.barcode.message });
    expect(passes).toStrictEqual({
      bookingId: booking.id,
      reference: "trip 1",
      passes: [
        {
          ...common,
          passenger: 0,
          passengerName: ADA.name,
          seat: "12A",
          boardingGroup: "E",
          sequence: 47,
          barcode: barcodeOf(0),
        },
        {
          ...common,
          passenger: 1,
          passengerName: ALAN.name,
          seat: "17C",
          boardingGroup: "D",
          sequence: 19,
          barcode: barcodeOf(1),
        },
      ],
    });
    const day =
      Math.floor(
        (Date.parse(flight.departsAt) - Date.UTC(new Date(flight.departsAt).getUTCFullYear(), 0, 1)) / 86_400_000,
      ) + 1;
    const parsed = parseBcbp(passes.passes[1]?.barcode.message ?? "");
    expect(parsed).toStrictEqual({
      format: "M",
      legs: "1",
      name: "TURING/ALAN         ",
      electronicTicket: "E",
      bookingCode: parsed.bookingCode,
      from: "LEO",
      to: "KEP",
      carrier: "KP ",
      flightNumber: "0442 ",
      dayOfYear: String(day).padStart(3, "0"),
      compartment: "Y",
      seat: "017C",
      sequence: "0019 ",
      status: "1",
      version: "6",
      pass: {
        passengerDescription: "0",
        sourceOfCheckIn: "W",
        sourceOfIssuance: "W",
        dayOfIssue: "    ",
        documentType: "B",
        issuer: "KP ",
      },
      leg: {
        numericCode: "   ",
        serialNumber: "          ",
        selectee: " ",
        documentVerification: "1",
        marketingCarrier: "KP ",
      },
      rest: "",
      security: { type: "1", data: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/) },
    });
    expect(parsed.bookingCode).toMatch(/^[A-Z2-9]{6} $/);
    expect(await passesOf(booking.id, "format=json&passenger=1")).toStrictEqual({
      ...passes,
      passes: [passes.passes[1]],
    });
    expect(await changesOf(booking.id)).toStrictEqual([]);
  });

  test("a saved passenger's member number is on it, and in its barcode", async () => {
    const profile = {
      firstName: "Grace",
      lastName: "Hopper",
      email: "GRACE@example.com",
      dateOfBirth: "1906-12-09",
      nationality: "US",
    };
    expectStatus(201, await carol.post("/v1/passengers", { ...profile, loyaltyNumber: "TB-0042" }));
    const { booking } = await carol.paidBooking("KP442-20270301", { passengers: [GRACE], seats: ["13A"] });
    const [pass] = (await passesOf(booking.id)).passes;
    expect(pass?.memberNumber).toBe("TB-0042");
    expect(parseBcbp(pass?.barcode.message ?? "").leg).toMatchObject({
      frequentFlyerAirline: "KP ",
      frequentFlyerNumber: "TB0042          ",
    });
  });

  test("refused: no such booking or passenger, not paid, cancelled, another's, bad parameters", async () => {
    const pending = await carol.newBooking("KP442-20270301");
    expectRefused(await carol.get(passPath(pending.id)), 409, "not paid");
    expectRefused(await carol.get(passPath(pending.id, "format=json&passenger=1")), 404, "no such passenger");
    expectRefused(await world.bob.get(passPath(pending.id)), 404, "no booking");
    expectRefused(await carol.get(passPath("bkg_unknown")), 404, "no booking");
    expectRefused(await carol.get(`/v1/bookings/${pending.id}/boarding-pass`), 409, "not paid");
    expect((await carol.booking(pending.id)).seats).toStrictEqual([]);
    expectStatus(200, await carol.cancel(pending.id));
    expectRefused(await carol.get(passPath(pending.id)), 409, "cancelled");
    expectProblems(await carol.get(passPath(pending.id, "format=svg&passenger=-1")), [
      "format must be one of pdf, png, json",
      "passenger must be a whole number of at least 0",
    ]);
    for (const passenger of ["1.5", "x", "01", ""]) {
      expectProblems(await carol.get(passPath(pending.id, `format=json&passenger=${passenger}`)), [
        "passenger must be a whole number of at least 0",
      ]);
    }
    expectRefused(
      await carol.get(passPath(pending.id, `format=json&passenger=${"9".repeat(20)}`)),
      404,
      "no such passenger",
    );
  });
});

describe("the signature of a barcode", () => {
  test("is by the published key, and no longer when seat or name are changed; anybody may fetch the key", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301", { passengers: [ADA], seats: ["14A"] });
    const [pass] = (await passesOf(booking.id)).passes;
    const response = await fetch(`${world.service.baseUrl}/.well-known/boarding-pass-keys`);
    const { keys } = (await response.json()) as { keys: JsonWebKey[] };
    expect([response.status, keys.length]).toStrictEqual([200, 1]);
    const key = createPublicKey({ key: keys[0] as JsonWebKey, format: "jwk" });
    const isSigned = (message = "") => {
      const [text = "", security = ""] = message.split("^");
      return verify(null, Buffer.from(text), key, Buffer.from(security.slice(3), "base64url"));
    };
    const message = pass?.barcode.message ?? "";
    expect(isSigned(message)).toBe(true);
    expect(isSigned(message.replace("014A", "001A"))).toBe(false);
    expect(isSigned(message.replace("LOVELACE/ADA ", "LOVELACE/BYRON").replace("BYRON ", "BYRON"))).toBe(false);
    expect((await passesOf(booking.id)).passes[0]?.barcode.message).toBe(message);
  });
});

describe("files", () => {
  test("a PDF has a page per passenger, whose barcode says what the data says", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301", { passengers: [ADA, ALAN], seats: ["15A", "15B"] });
    const { passes } = await passesOf(booking.id);
    const { status, headers, bytes } = await download(`/v1/bookings/${booking.id}/boarding-pass`);
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toStrictEqual([
      200,
      "application/pdf",
      `attachment; filename="boarding-pass-${booking.id}.pdf"`,
    ]);
    const pages = await pagesOf(bytes);
    expect(pages.map(({ width, height }) => [width, height])).toStrictEqual([
      [105, 148],
      [105, 148],
    ]);
    for (const [index, page] of pages.entries()) {
      expect(await barcodesIn(page.image, "PDF417")).toStrictEqual([passes[index]?.barcode.message]);
      for (const said of [passes[index]?.passengerName, passes[index]?.seat, "Kepler-442b"])
        expect(page.text).toContain(said);
    }
    const one = await download(passPath(booking.id, "passenger=1"));
    expect(one.headers.get("content-disposition")).toBe(`attachment; filename="boarding-pass-${booking.id}-2.pdf"`);
    expect((await pagesOf(one.bytes)).length).toBe(1);
  });

  test("a PNG has their barcodes one below the other", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301", { passengers: [ADA, ALAN, GRACE] });
    const { status, headers, bytes } = await download(passPath(booking.id, "format=png"));
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toStrictEqual([
      200,
      "image/png",
      `attachment; filename="boarding-pass-${booking.id}.png"`,
    ]);
    const { passes } = await passesOf(booking.id);
    expect(await barcodesIn(bytes, "Aztec")).toStrictEqual(passes.map(({ barcode }) => barcode.message));
  });

  test("HEAD tells what GET would, decides nothing and draws nothing", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301");
    const { status, headers, bytes } = await download(`/v1/bookings/${booking.id}/boarding-pass`, "HEAD");
    expect([status, headers.get("content-type"), headers.has("content-disposition"), bytes.length]).toStrictEqual([
      200,
      "application/pdf",
      true,
      0,
    ]);
    expect((await carol.booking(booking.id)).seats).toStrictEqual([]);
    expect((await download(`/v1/bookings/bkg_unknown/boarding-pass`, "HEAD")).status).toBe(404);
  });
});

describe("seats nobody has chosen", () => {
  test("the first pass that is asked for assigns them: together, free of charge, told as an event", async () => {
    const { booking } = await carol.paidBooking("KP442-20270301", { passengers: [ADA, ALAN, GRACE] });
    const passes = (await passesOf(booking.id)).passes.map(({ seat }) => seat);
    const seated = await carol.booking(booking.id);
    expect(seated).toStrictEqual({ ...booking, seats: passes });
    expect(new Set(passes.map((seat) => Number.parseInt(seat, 10))).size).toBe(1);
    expect(await changesOf(booking.id)).toStrictEqual([{ seats: [] }]);
    const history = (
      await carol.get<{ data: { type: string; actor: { kind: string } }[] }>(`/v1/bookings/${booking.id}/history`)
    ).body;
    expect(history.data.at(-1)).toMatchObject({ type: "booking.changed", actor: { kind: "system" } });
    expect((await passesOf(booking.id)).passes.map(({ seat }) => seat)).toStrictEqual(passes);
    const map = await carol.get(`/v1/flights/KP442-20270301/seat-map`);
    for (const seat of passes) expect(map.text).toContain(`{"number":"${seat}","status":"booked"`);
  });

  test("asked for by many at once, beside a change and a cancellation: one set of seats, nobody's twice", async () => {
    const bookings = await Promise.all(
      Array.from({ length: 12 }, async () => (await carol.paidBooking("RACE", { passengers: [ADA, ALAN] })).booking),
    );
    const answers = await Promise.all(
      bookings.flatMap(({ id }, index) => [
        carol.get<BoardingPassesBody>(passPath(id)),
        carol.get<BoardingPassesBody>(passPath(id)),
        index % 3 === 0
          ? carol.patch(`/v1/bookings/${id}`, { seats: [`${10 + index / 3}D`, `${10 + index / 3}E`] })
          : carol.get(passPath(id)),
        ...(index % 3 === 1 ? [carol.cancel(id)] : []),
      ]),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const after = await Promise.all(bookings.map(({ id }) => carol.booking(id)));
    const living = after.filter(({ status }: BookingBody) => status === "confirmed");
    expect(living.length).toBe(8);
    const unseated = living.filter(({ seats }) => seats.length === 0);
    for (const { id } of unseated) expectStatus(200, await carol.get(passPath(id)));
    const seats = (await Promise.all(living.map(({ id }) => carol.booking(id)))).flatMap((booking) => booking.seats);
    expect([seats.length, new Set(seats).size]).toStrictEqual([16, 16]);
    for (const { id } of living) expect((await changesOf(id)).length).toBeLessThanOrEqual(2);
    expect(await carol.seatsLeft("RACE")).toBe(59 - 16);
  });
});
