import type { Body } from "./port.ts";

/** What a stored body says, as the projection wrote it. */
export function parseBody<Value>({ json }: Pick<Body, "json">): Value {
  return JSON.parse(Buffer.from(json).toString()) as Value;
}
