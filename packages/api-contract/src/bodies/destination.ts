import type { Destination } from "@travel-booking/domain";
import type { DestinationBody } from "../resources/destination.ts";

export function destinationBody({ id, name, system, distanceLy, gravity, climate }: Destination): DestinationBody {
  return { id, name, system, distanceLy, gravity, climate };
}
