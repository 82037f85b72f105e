import { type EventBody, type PaymentBody, paymentBody } from "@travel-booking/api-contract";
import { bookingIdOfPayment, findPayment } from "@travel-booking/domain";
import type { Body, ReadModels } from "@travel-booking/engines/read-store";
import {
  BOOKINGS,
  EVENTS,
  findBookingPast,
  findCurrentBooking,
  jsonOfEvents,
  parseEventStub,
} from "@travel-booking/read-models";
import { ACCOUNT, BOOKING } from "./booking-history.ts";

type Models = Pick<ReadModels, "document" | "body" | "page">;

export const parsed = ({ json }: Pick<Body, "json">) => JSON.parse(json) as unknown;

/** The bookings of an account with their owner, in the order they were created. */
export async function bookingsOf(models: Models, account = ACCOUNT): Promise<readonly unknown[]> {
  const { model, byAccount: index } = BOOKINGS.booking;
  const page = await models.page(model, { index, partition: account, order: "ascending", limit: 1_000 });
  return page.map(parsed);
}

export async function historyOf(models: Models, booking = BOOKING): Promise<readonly unknown[]> {
  const past = await findBookingPast(models, ACCOUNT, booking);
  return past === undefined ? [] : (await past.history({ limit: 1_000 })).entries.map(parsed);
}

/** The booking as it was at a moment. */
export async function bookingAsOf(models: Models, at: number): Promise<unknown> {
  const json = await (await findBookingPast(models, ACCOUNT, BOOKING))?.jsonAsOf(at);
  return json === undefined ? undefined : JSON.parse(json);
}

export async function paymentAt(models: Models, paymentId: string, now: number): Promise<PaymentBody | undefined> {
  const booking = await findCurrentBooking(models, ACCOUNT, bookingIdOfPayment(paymentId) ?? "", now);
  const payment = booking && findPayment(booking, paymentId);
  return booking && payment && paymentBody(booking, payment);
}

/** The public events of a list, in ascending order. */
export async function publicEvents(models: Models, index: string, partition: string): Promise<readonly EventBody[]> {
  const { model } = EVENTS.event;
  const items = await models.page(model, { index, partition, order: "ascending", limit: 1_000 });
  const { json } = await jsonOfEvents(
    models,
    items.map((item) => parseEventStub(item.key, item)),
  );
  return json.map((event) => parsed({ json: event ?? "null" }) as EventBody);
}
