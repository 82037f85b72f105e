import { expect, test } from "@jest/globals";
import { createLogger, Metrics, RecentProblems, Vitals } from "@travel-booking/runtime";

test("totals are kept as what they grow by in a second, gauges as they are, an hour at most", async () => {
  const metrics = new Metrics();
  let commands = 5;
  let memory = 7;
  metrics.gauge("commands_total", "", () => commands);
  metrics.gauge("process_resident_memory_bytes", "", () => memory);
  metrics.labelledGauge("projection_position", "", () => [{ labels: { projection: "bookings" }, value: commands }]);
  const requests = metrics.histogram({ name: "http_request_duration_seconds", help: "", bounds: [1] });
  const vitals = new Vitals(metrics);
  await vitals.sample();
  const first = vitals.series.commands?.length ?? 0;
  commands += 20;
  memory = 9;
  requests.child({ operation: "x", status: "200" }).observe(0.5);
  requests.child({ operation: "y", status: "200" }).observe(2);
  await vitals.sample();
  expect(vitals.series.commands?.at(-1)).toBe(2);
  expect(vitals.series["projections.bookings"]?.at(-1)).toBe(2);
  expect(vitals.series.requests?.at(-1)).toBe(0.2);
  expect(vitals.series.memory?.at(-1)).toBe(9);
  expect(vitals.series).not.toHaveProperty("disk");
  expect(vitals.series.commands).toHaveLength(first + 1);
  for (let sample = 0; sample < 400; sample += 1) await vitals.sample();
  expect(vitals.series.commands).toHaveLength(360);
});

test("the latest problems are kept as they are logged, without what is redacted", () => {
  const problems = new RecentProblems();
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: "info", problems, destination });
  logger.info({}, "all is well");
  logger.warn({ token: "secret" }, "it begins to fail");
  logger.error({ err: new Error("why") }, "it fails");
  expect(problems.newest).toMatchObject([
    { level: "error", msg: "it fails", err: { message: "why" } },
    { level: "warn", msg: "it begins to fail", token: "[redacted]" },
  ]);
  expect(lines).toHaveLength(3);
  for (let count = 0; count < 60; count += 1) logger.warn({ count }, "again");
  expect(problems.newest).toHaveLength(50);
  expect(problems.newest[0]).toMatchObject({ count: 59 });
});
