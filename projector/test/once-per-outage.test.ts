import { expect, test } from "@jest/globals";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { oncePerOutage } from "../src/once-per-outage.ts";

class Away extends EngineUnavailable {
  override readonly engine = "the event store";
}

function log() {
  const lines: string[] = [];
  const time = { at: 0 };
  const report = oncePerOutage(
    ({ projection, error }) => lines.push(`${projection}: ${(error as Error).message}`),
    () => time.at,
  );
  return { lines, time, report };
}

test("an outage is one line for each projection, however long it lasts", () => {
  const { lines, time, report } = log();
  for (let tries = 0; tries < 1_000; tries++) {
    for (const projection of ["bookings", "flights"]) report({ projection, error: new Away(`try ${tries}`) });
    time.at += 5_000;
  }
  expect(lines).toStrictEqual(["bookings: try 0", "flights: try 0"]);
  time.at += 60_000;
  report({ projection: "flights", error: new Away("again") });
  expect(lines).toHaveLength(3);
});

test("other failures are told apart by what they say", () => {
  const { lines, report } = log();
  report({ projection: "bookings", error: new Away("no answer") });
  for (let tries = 0; tries < 3; tries++) report({ projection: "bookings", error: new Error("a field is missing") });
  expect(lines).toStrictEqual(["bookings: no answer", "bookings: a field is missing"]);
});
