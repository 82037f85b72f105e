import { type Bench, interleave } from "../bench.ts";
import type { RequestSource, RequestTemplate } from "../load/job.ts";
import type { Measurement } from "../report/measurement.ts";
import type { HttpBench } from "./http-bench.ts";

const BOOKINGS = 500;

/** Some bookings to read, one after the other; their ids. */
export async function createBookings(http: HttpBench): Promise<readonly string[]> {
  const { path, headers, body } = await http.freshBooking();
  const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: body ?? null };
  const ids: string[] = [];
  for (let count = 0; count < BOOKINGS; count += 1) {
    const response = await fetch(`http://127.0.0.1:${http.service.port}${path}`, init);
    if (response.status !== 201) throw new Error(`status ${response.status} instead of 201: ${await response.text()}`);
    ids.push(((await response.json()) as { id: string }).id);
  }
  await http.service.idle();
  return ids;
}

/** P6 */
export async function measureReads(http: HttpBench, bench: Bench): Promise<readonly Measurement[]> {
  const helloPort = await http.reference("hello");
  const get = (path: string): RequestTemplate => ({ method: "GET", path, headers: http.account.reader });
  const ids = await createBookings(http);
  const run = (port: number, messages: readonly RequestTemplate[]) => async (): Promise<number> => {
    const source: RequestSource = { kind: "cycle", messages, repeat: 1 };
    return (await http.load({ port, source, expectedStatus: 200, pace: { kind: "closed" } })).perSecond;
  };
  const reference = run(helloPort, [{ method: "GET", path: "/hello", headers: {} }]);
  const measured = run(
    http.service.port,
    ids.map((id) => get(`/v1/bookings/${id}`)),
  );
  await reference();
  await measured();
  const rounds = await interleave(bench, "GET booking", { reference, measured });
  return [{ goal: "P6", subject: "a booking", unit: "requests/s", rounds }];
}
