import { expect, test } from "@jest/globals";
import { bookingCommandRoutes } from "../../src/operator/booking-commands.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

test("a refund that names no payment is the same when it is repeated, though nothing is left to give back", async () => {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await service.pay(booking.id);
  const services = { ...service.services, waitUntilProjected: async () => undefined };
  const route = bookingCommandRoutes(services as never).find(({ path }) => path === "/operator/bookings/:id/refunds");
  if (route === undefined || !("answer" in route)) throw new Error("no such route");
  const commandId = service.systems.ids.next();
  const refund = (repeated: boolean) => {
    const asked = { params: { id: booking.id }, body: {}, query: {}, requestId: "r1", operator: "Ola" };
    return route.answer({ ...asked, command: { commandId, repeated }, closed: new AbortController().signal });
  };
  const first = await refund(false);
  expect(first).toMatchObject({ paymentId: payment.id, amount: payment.amount });
  expect(await refund(true)).toStrictEqual(first);
});
