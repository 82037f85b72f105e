import { expect, test } from "@jest/globals";
import { connectionBounds } from "../src/open-files.ts";

test.each([
  [Number.POSITIVE_INFINITY, 10_000, 10_000],
  [20_000, 10_000, 2_468],
  [11_685, 10_000, 1_428],
  [1_024, 672, 96],
  [64, 16, 16],
])("with %d files the public port takes %d connections, the operator's %d", (files, publicPort, operatorPort) => {
  expect(connectionBounds(files)).toStrictEqual({ publicPort, operatorPort });
});
