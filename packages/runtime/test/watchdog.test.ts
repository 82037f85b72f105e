import { channel } from "node:diagnostics_channel";
import { expect, test } from "@jest/globals";
import { beginHeartbeat, createHeartbeats, StandstillCounter } from "@travel-booking/runtime/watchdog";

const MAIN = 0;
const PROJECTOR = 1;

/** What each of so many ticks says. */
function ticks(counter: StandstillCounter, count: number, between: () => void = () => undefined) {
  return Array.from({ length: count }, () => {
    between();
    return counter.tick(3);
  });
}

test("a heartbeat that stands still for so many ticks is told, and no other", () => {
  const heartbeats = createHeartbeats();
  const counter = new StandstillCounter(heartbeats);
  Atomics.store(heartbeats, PROJECTOR, 1);
  const beat = () => void Atomics.add(heartbeats, MAIN, 1);
  expect(ticks(counter, 4, beat)).toStrictEqual([undefined, undefined, undefined, "projector"]);
  Atomics.add(heartbeats, PROJECTOR, 1);
  expect(ticks(counter, 4)).toStrictEqual([undefined, undefined, "main", "main"]);
});

test("one that goes on is forgiven", () => {
  const heartbeats = createHeartbeats();
  const counter = new StandstillCounter(heartbeats);
  for (let round = 0; round < 3; round += 1) {
    Atomics.add(heartbeats, MAIN, 1);
    expect(ticks(counter, 3)).toStrictEqual([undefined, undefined, undefined]);
  }
});

test("a request is a beat, though no timer comes to its turn", () => {
  const heartbeats = createHeartbeats();
  const end = beginHeartbeat(heartbeats, "main");
  const request = () => channel("http.server.request.start").publish({});
  expect(ticks(new StandstillCounter(heartbeats), 9, request)).toStrictEqual(new Array(9).fill(undefined));
  end();
});

test("a thread that is not there yet, or has ended as it should, is not watched", () => {
  const heartbeats = createHeartbeats();
  const counter = new StandstillCounter(heartbeats);
  expect(ticks(counter, 9)).toStrictEqual(new Array(9).fill(undefined));
  const end = beginHeartbeat(heartbeats, "projector");
  expect(Atomics.load(heartbeats, PROJECTOR)).toBe(1);
  end();
  expect(ticks(counter, 9)).toStrictEqual(new Array(9).fill(undefined));
});
