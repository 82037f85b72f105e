import { describe, test } from "@jest/globals";
import { type Destination, destinationDecider } from "../src/index.ts";
import { specification } from "./shared/specification.ts";

const given = specification(destinationDecider);
const kepler: Destination = {
  id: "kepler-442b",
  name: "Kepler-442b",
  system: "Kepler-442",
  distanceLy: 1206,
  gravity: 1.3,
  climate: "temperate",
};
const list = (destination: Destination) => ({ type: "ListDestination", destination }) as const;
const listed = { type: "DestinationListed", at: 1, data: kepler } as const;

describe("listing a destination", () => {
  test("a new one is listed", () => {
    given([]).when(list(kepler), 1).then([listed]);
  });

  test("the same again changes nothing", () => {
    given([listed])
      .when(list({ ...kepler }), 2)
      .then([]);
  });

  test.each<Partial<Destination>>([
    { id: "other" },
    { name: "Kepler" },
    { system: "Kepler" },
    { distanceLy: 1 },
    { gravity: 1 },
    { climate: "polar" },
  ])("%j is a change, once", (change) => {
    const changed = { ...kepler, ...change };
    const event = { type: "DestinationChanged", at: 2, data: changed } as const;
    given([listed]).when(list(changed), 2).then([event]);
    given([listed, event]).when(list(changed), 3).then([]);
    given([listed, event])
      .when(list(kepler), 3)
      .then([{ type: "DestinationChanged", at: 3, data: kepler }]);
  });
});
