import type { LoadPattern } from "../load/job.ts";
import type { HttpBench } from "./http-bench.ts";

const measured = new WeakMap<HttpBench, Promise<number>>();

async function capacity(http: HttpBench): Promise<number> {
  await http.commands("book", "many flights");
  return (await http.commands("book", "many flights")).perSecond;
}

/** Half of the bookings a second the service can do, measured once. */
export async function halfLoad(http: HttpBench): Promise<Extract<LoadPattern, { kind: "open" }>> {
  const known = measured.get(http) ?? capacity(http);
  measured.set(http, known);
  return { kind: "open", perSecond: Math.floor((await known) / 2) };
}
