import { beforeEach, expect, test } from "@jest/globals";
import { afterResume, HEALTHY } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/memory";
import { EndpointStates } from "../../src/deliveries/index.ts";

let store: InMemoryStateStore;
let states: EndpointStates;

beforeEach(() => {
  store = new InMemoryStateStore();
  states = new EndpointStates(store);
});

/** As it was stored when only the last end of a failure was remembered. */
const former = (restart: object | null, status: string) => {
  const { restarts: _, ...health } = HEALTHY;
  return { deletedAt: null, health: { ...health, status, failingSince: status === "failing" ? 5 : null, restart } };
};

test("a state in the form of earlier is read, listed and changed", async () => {
  const restart = { since: 1, at: 2, resumed: true };
  await store.put("webhook-endpoint-states", "whe_1", former(restart, "failing"));
  await store.put("webhook-endpoint-states", "whe_2", former(null, "active"));
  expect((await states.get("whe_1")).health).toStrictEqual({
    ...HEALTHY,
    status: "failing",
    failingSince: 5,
    restarts: [restart],
  });
  expect((await states.get("whe_2")).health).toStrictEqual(HEALTHY);
  const listed = await Array.fromAsync(states.all());
  expect(listed.map(({ endpointId, state }) => [endpointId, state.health.restarts.length])).toStrictEqual([
    ["whe_1", 1],
    ["whe_2", 0],
  ]);
  await states.change("whe_1", (health) => afterResume(health, 9));
  expect((await states.get("whe_1")).health.restarts).toStrictEqual([restart, { since: 5, at: 9, resumed: true }]);
});
