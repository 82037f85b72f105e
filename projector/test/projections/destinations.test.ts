import { afterEach, describe, expect, test } from "@jest/globals";
import type { Climate, Destination, DestinationEvent } from "@travel-booking/domain";
import { destinations } from "../../src/projections/destinations.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";

const T0 = Date.UTC(2027, 0, 1);

function destination(id: string, climate: Climate): Destination {
  return { id, name: id.toUpperCase(), system: "Kepler-442", distanceLy: 1206, gravity: 1.3, climate };
}

function listed(id: string, climate: Climate): GivenEvent {
  const event: DestinationEvent = { type: "DestinationListed", at: T0, data: destination(id, climate) };
  return [`destination-${id}`, event];
}

function changed(id: string, climate: Climate): GivenEvent {
  const event: DestinationEvent = { type: "DestinationChanged", at: T0, data: destination(id, climate) };
  return [`destination-${id}`, event];
}

describe.each(DELIVERIES)("destinations, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  test("are in the order of their creation, whatever changed since", async () => {
    const history = [listed("a-1", "arid"), listed("b", "polar"), listed("c", "arid"), changed("a-1", "tropical")];
    made = await deliver(destinations, history, delivery);
    expect(await made.list("destinations.destination", "newest", "all")).toStrictEqual([
      destination("a-1", "tropical"),
      destination("b", "polar"),
      destination("c", "arid"),
    ]);
    expect(await made.list("destinations.destination", "byClimate", "arid")).toStrictEqual([destination("c", "arid")]);
    expect(await made.list("destinations.destination", "byClimate", "tropical")).toStrictEqual([
      destination("a-1", "tropical"),
    ]);
    expect(await made.body("destinations.destination", "b")).toStrictEqual(destination("b", "polar"));
  });
});
