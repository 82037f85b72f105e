import { expect, test } from "@jest/globals";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { projections } from "../../src/projections/index.ts";

test("every projection is among the names that readers wait for and operators see", () => {
  expect(projections.map(({ name }) => name).sort()).toStrictEqual([...PROJECTION_NAMES].sort());
});
