import { afterEach, describe, expect, test } from "@jest/globals";
import { DAY, seatStatus } from "@travel-booking/domain";
import { FLIGHTS, findFlightSeats } from "@travel-booking/read-models";
import { flights } from "../../src/projections/flights.ts";
import { closeAll, DELIVERIES, deliver, type ProjectedModels } from "./kit/deliver.ts";
import {
  allocated,
  fareChanged,
  HOLD_EXPIRES_AT,
  held,
  onFlight,
  released,
  scheduled,
  T0,
} from "./kit/flight-history.ts";

const MODEL = "flights.flight";

function flight(
  id: string,
  economyLeft: number,
  changes: { amount?: number; departsAt?: string; destinationId?: string } = {},
) {
  const { amount = 100_000, departsAt = "2027-01-31T09:00:00.000Z", destinationId = "kepler" } = changes;
  const fares = [
    { cabin: "economy", amount, currency: "USD", seatsLeft: economyLeft },
    { cabin: "business", amount: 500_000, currency: "USD", seatsLeft: 2 },
  ];
  return { id, from: "LEO", destinationId, departsAt, durationDays: 480, fares };
}

async function seatsOf({ models }: ProjectedModels) {
  const seats = await findFlightSeats(models, "F");
  if (seats === undefined) throw new Error("flight F is not there");
  return seats;
}

describe.each(DELIVERIES)("flights, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  test("are in the order of departure, then id, and by destination", async () => {
    const soon = { departsAt: "2027-01-11T09:00:00.000Z" };
    made = await deliver(
      flights,
      [scheduled("F-3"), scheduled("F-2"), scheduled("F-9", "trappist", T0 + 10 * DAY)],
      delivery,
    );
    const f9 = flight("F-9", 3, { ...soon, destinationId: "trappist" });
    expect(await made.list(MODEL, "byDeparture", "all")).toStrictEqual([f9, flight("F-2", 3), flight("F-3", 3)]);
    expect(await made.list(MODEL, "byDestination", "trappist")).toStrictEqual([f9]);
    expect(await made.list(MODEL, "byDestination", "kepler")).toStrictEqual([flight("F-2", 3), flight("F-3", 3)]);
  });

  test("a flight nobody is on is true for ever; a fare may change", async () => {
    made = await deliver(flights, [scheduled("F"), fareChanged("F", 600_000)], delivery);
    const document = await made.document(MODEL, "F");
    expect(document?.staleAt).toBeNull();
    expect(JSON.parse(document?.body ?? "")).toStrictEqual({
      ...flight("F", 3),
      fares: [
        { cabin: "business", amount: 500_000, currency: "USD", seatsLeft: 2 },
        { cabin: "economy", amount: 600_000, currency: "USD", seatsLeft: 3 },
      ],
    });
  });

  test("a hold that was used, released or recorded as expired holds nothing, counts no more, and says how it ended", async () => {
    const history = [
      scheduled("F"),
      held("F", "h1", ["10A"]),
      allocated("F", "b1", { seats: ["10A"], holdId: "h1", surcharges: [2_500] }),
      held("F", "h2", ["10B"], T0 + 5),
      onFlight("F", { type: "SeatHoldReleased", at: T0 + 6, data: { holdId: "h2" } }),
      held("F", "h3", ["11A"], T0 + 7),
      onFlight("F", { type: "SeatHoldExpired", at: T0 + 15 * 60_000 + 7, data: { holdId: "h3" } }),
    ];
    made = await deliver(flights, history, delivery);
    const document = await made.document(MODEL, "F");
    expect(document?.staleAt).toBeNull();
    expect(JSON.parse(document?.body ?? "")).toStrictEqual(flight("F", 2));
    const seats = await seatsOf(made);
    expect(seatStatus(seats, "economy", "10A", T0 + 8)).toBe("booked");
    expect(seatStatus(seats, "economy", "10B", T0 + 8)).toBe("available");
    const { model, byAccount } = FLIGHTS.hold;
    const ended = await Promise.all(["h1", "h2", "h3"].map((id) => made.document(model, id)));
    expect(ended.map((one) => one?.state)).toMatchObject(
      ["used", "released", "expired"].map((status) => ({ flightId: "F", status })),
    );
    expect(await made.list(model, byAccount, "acc_1")).toStrictEqual([]);
  });

  test("a hold that is given back is active again", async () => {
    const used = allocated("F", "b1", { seats: ["10A"], holdId: "h1", surcharges: [2_500] });
    const again = held("F", "h1", ["10A"]);
    made = await deliver(flights, [scheduled("F"), again, used, released("F", "b1"), again], delivery);
    const { model, byAccount: index } = FLIGHTS.hold;
    expect((await made.document(model, "h1"))?.state).toStrictEqual({
      flightId: "F",
      accountId: "acc_1",
      cabin: "economy",
      seats: ["10A"],
      expiresAt: HOLD_EXPIRES_AT,
      status: "active",
    });
    expect(await made.models.count(model, { index, partition: "acc_1", limit: 5 })).toBe(1);
  });
});
