import { expect, test } from "@jest/globals";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { OperatorRequest } from "@travel-booking/http/operator";
import { bookingRoutes } from "../../src/operator/bookings.ts";
import type { OperatorServices } from "../../src/operator/operator-services.ts";
import { party, SOON } from "../support/sample.ts";
import { Service } from "../support/service.ts";
import { turnsDuring } from "../support/turns.ts";

const CHANGES = 300;

interface Changes {
  readonly passengers: Record<"from" | "to", readonly { readonly name: string }[]>;
}

interface Answer {
  readonly last: number;
  readonly seats: readonly string[];
  readonly booking: { readonly passengers: readonly { readonly name: string }[] };
  readonly timeline: readonly { readonly revision: number; readonly changes: Changes }[];
}

/** A booking whose passengers got names of so many letters, again and again. */
async function changed(letters: number) {
  const { systems, ...service } = await Service.start().then(async (started) => {
    const { body } = await started.book({ flightId: SOON, passengers: party(1) });
    return { systems: started.systems, id: body.id };
  });
  const own = (await systems.log()).filter(({ stream }) => stream === `booking-${service.id}`);
  const [first] = own as [RecordedEvent];
  const changes = Array.from({ length: CHANGES }, (_, index) => {
    const passengers = party(1).map((one) => ({ ...one, name: `${index}`.padEnd(letters, "x") }));
    const data = { changeId: null, passengers };
    return { ...first, type: "BookingChanged", revision: own.length + index, data } as unknown as RecordedEvent;
  });
  const events = [...own, ...changes];
  const read: number[] = [];
  const store = {
    async readStream(_: string, from = 0) {
      const some = events.slice(from);
      read.push(some.length);
      return some;
    },
  };
  const disrupted = { news: () => undefined };
  const routes = bookingRoutes({ store, clock: systems.clock, disrupted } as unknown as OperatorServices);
  const get = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const route = routes.find((one) => one.path === path);
    if (route === undefined || !("answer" in route)) throw new Error(path);
    return (await route.answer({ params: { id: service.id }, query } as unknown as OperatorRequest)) as Answer;
  };
  const show = (query?: Readonly<Record<string, string>>) => get("/operator/bookings/:id", query);
  return { show, get, read, last: events.length - 1 };
}

test("an answer has the latest fifty events, one a turn, and earlier ones when they are asked for", async () => {
  const { show, last } = await changed(5);
  const revisions = async (query?: Readonly<Record<string, string>>) => {
    const { timeline } = await show(query);
    return [timeline[0]?.revision, timeline.at(-1)?.revision];
  };
  expect(await revisions()).toStrictEqual([last - 49, last]);
  expect(await revisions({ before: String(last - 49) })).toStrictEqual([last - 99, last - 50]);
  expect(await revisions({ before: "3" })).toStrictEqual([0, 2]);
  expect(await turnsDuring(() => show())).toBeGreaterThanOrEqual(50);
  const at = await show({ at: String(last - 200) });
  expect(at.booking.passengers[0]?.name).toBe("99xxx");
  const names = ({ from, to }: Changes["passengers"]) => [from, to].flatMap((party) => party.map(({ name }) => name));
  expect(at.timeline.map(({ changes }) => names(changes.passengers)).at(-1)).toStrictEqual(["298xx", "299xx"]);
  await expect(show({ before: "x" })).rejects.toThrow("before takes the revision of an event, from 0");
});

test("large events are fewer in an answer, and at least one", async () => {
  const { show } = await changed(20_000);
  const { timeline } = await show();
  expect(timeline.length).toBe(4);
  expect((await (await changed(300_000)).show()).timeline.length).toBe(1);
});

test("whether there is anything new is read from the event that is known", async () => {
  const { get, read, last } = await changed(5);
  const from = String(last);
  expect([(await get("/operator/bookings/:id/last", { from })).last, read]).toStrictEqual([last, [1]]);
});
