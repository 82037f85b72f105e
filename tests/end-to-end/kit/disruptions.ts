import type { DisruptionAnswer } from "@travel-booking/read-models";
import { until } from "../../support/until.ts";
import type { World } from "./world.ts";

/** Asks the operator interface. @throws Error the answer is not 200. */
export async function asOperator<Body>(
  { service }: World,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<Body> {
  const answer = await service.operator(method, path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

/** A disruption once everybody on board has followed. */
export async function onceEnded(world: World, id: string): Promise<DisruptionAnswer> {
  const show = () => asOperator<DisruptionAnswer>(world, "GET", `/disruptions/${id}`);
  await until(async () => {
    const { status, followed, bookings } = await show();
    return status === "ended" && followed === bookings;
  });
  return show();
}
