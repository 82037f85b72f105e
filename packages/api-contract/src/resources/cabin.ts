import { CABINS } from "@travel-booking/domain";
import { oneOf } from "../fields/objects.ts";

export const cabin = oneOf(CABINS).meta({
  id: "Cabin",
  description: "A cabin class, from the simplest to the finest.",
});
