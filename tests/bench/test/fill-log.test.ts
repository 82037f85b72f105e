import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type BookingEvent, bookingDecider, fold, isExistingBooking } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { runOnce } from "../children/child.ts";
import { Service } from "../service/service.ts";
import { withEventLog } from "../store/event-log.ts";
import type { Filled, FillTask } from "../store/fill-log.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-"));
let filled: Filled;
let streams: readonly (readonly RecordedEvent[])[];
let service: Service;

beforeAll(async () => {
  const log = join(folder, "log");
  const task = { folder: log, bookings: 200, flights: 10 };
  filled = await runOnce<FillTask, Filled>(new URL("../store/fill-log.ts", import.meta.url), task);
  streams = await withEventLog(log, (store) =>
    Promise.all(filled.contents.bookings.map((id) => store.readStream(`booking-${id}`))),
  );
  service = await Service.start(folder);
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const get = async (path: string, apiKey = "") => {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { "x-api-key": apiKey } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test("a service starts on a filled log, and finds nothing due in it", async () => {
  await service.idle();
  const { data } = (await service.operator.request("GET", "/operator/projections")) as {
    readonly data: readonly { readonly position: string; readonly state: string }[];
  };
  for (const { position, state } of data)
    expect({ position, state }).toStrictEqual({ position: String(filled.events), state: "live" });
});

test("it answers with every booking as its events have it", async () => {
  const { accounts, bookings } = filled.contents;
  for (const [number, id] of bookings.entries()) {
    const booking = fold(bookingDecider, streams[number] as unknown as BookingEvent[]);
    if (!isExistingBooking(booking)) throw new Error(`${id} does not exist`);
    const { status, body } = await get(`/v1/bookings/${id}`, accounts[number % accounts.length]?.apiKey);
    expect(status).toBe(200);
    const { reference, seats, totalAmount } = booking;
    expect(body).toMatchObject({ id, status: booking.status, seats, totalAmount, ...(reference && { reference }) });
  }
});

test("lists and flights answer, too", async () => {
  const { accounts, full } = filled.contents;
  const { body, status } = await get("/v1/bookings?limit=20", accounts[0]?.readerKey);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(20);
  expect((await get(`/v1/flights/${full[0]}/seat-map`, accounts[0]?.apiKey)).status).toBe(200);
});
