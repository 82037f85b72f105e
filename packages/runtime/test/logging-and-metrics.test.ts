import { expect, test } from "@jest/globals";
import { createLogger, Metrics } from "@travel-booking/runtime";

test("lines are JSON, without secrets and personal data", () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: "info",
    service: "command",
    destination: { write: (line) => lines.push(line) },
  });
  logger.info(
    {
      requestId: "r1",
      apiKey: "k",
      headers: { authorization: "x", "x-api-key": "y" },
      body: { passengers: { email: "a@b.c", name: "Ada" } },
    },
    "hello",
  );
  logger.child({ part: "x" }).error({ err: new Error("boom") }, "bad");
  logger.debug({}, "unseen");
  expect(lines.length).toBe(2);
  const { time, ...first } = JSON.parse(lines[0]!);
  expect(new Date(time).toISOString()).toBe(time);
  expect(first).toStrictEqual({
    level: "info",
    service: "command",
    requestId: "r1",
    apiKey: "[redacted]",
    headers: { authorization: "[redacted]", "x-api-key": "[redacted]" },
    body: { passengers: { email: "[redacted]", name: "[redacted]" } },
    msg: "hello",
  });
  const second = JSON.parse(lines[1]!);
  expect([second.level, second.part, second.err.message]).toStrictEqual(["error", "x", "boom"]);
  expect([logger.isLevelEnabled("debug"), logger.isLevelEnabled("warn")]).toStrictEqual([false, true]);
});

test("an error is logged with its type", () => {
  class StreamBusy extends Error {
    override readonly name = "StreamBusy";
  }
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } });
  logger.error({ err: new StreamBusy("busy") }, "bad");
  logger.error({ err: new TypeError("wrong") }, "bad");
  const errors = lines.map((line) => JSON.parse(line).err);
  expect(errors.map(({ type, message }) => [type, message])).toStrictEqual([
    ["StreamBusy", "busy"],
    ["TypeError", "wrong"],
  ]);
});

test("metrics are rendered in the Prometheus format", async () => {
  const metrics = new Metrics();
  const child = metrics.histogram({ name: "wait_seconds", help: "Waits.", bounds: [0.1, 1] }).child({ kind: 'a"b' });
  for (const value of [0.05, 0.1, 0.5, 7]) child.observe(value);
  metrics.counter("seen_total", "Seen.", ["kind"]).inc({ kind: "x" }, 2);
  metrics.gauge("size", "Size.", () => 5);
  const { text } = await metrics.render();
  expect(text.trim().split("\n")).toStrictEqual([
    "# HELP wait_seconds Waits.",
    "# TYPE wait_seconds histogram",
    'wait_seconds_bucket{kind="a\\"b",le="0.1"} 2',
    'wait_seconds_bucket{kind="a\\"b",le="1"} 3',
    'wait_seconds_bucket{kind="a\\"b",le="+Inf"} 4',
    'wait_seconds_sum{kind="a\\"b"} 7.65',
    'wait_seconds_count{kind="a\\"b"} 4',
    "",
    "# HELP seen_total Seen.",
    "# TYPE seen_total counter",
    'seen_total{kind="x"} 2',
    "",
    "# HELP size Size.",
    "# TYPE size gauge",
    "size 5",
  ]);
});
