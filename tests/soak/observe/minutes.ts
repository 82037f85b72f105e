import { metricValues } from "../../support/metric-values.ts";
import type { Traffic } from "../load/traffic.ts";
import type { Target } from "../targets/target.ts";
import { megabytesIn, processFigures } from "./processes.ts";

/** A minute of the soak, as texts by column. */
export type Minute = Readonly<Record<string, string>>;

/** What is to be told of the time since it was last asked. @param kills so far, by whom. */
export async function lookAt(
  target: Target,
  traffic: Traffic,
  since: { readonly minutes: number; readonly kills: ReadonlyMap<string, number> },
): Promise<Minute> {
  const counts = traffic.take();
  const processes = [...processFigures()];
  const metrics = (await Promise.all(target.metricsUrls.map(readMetrics))).join("\n");
  const total = [...counts.acknowledged.values()].reduce((sum, count) => sum + count, 0);
  const stored = Object.entries(target.stored()).map(([name, folder]) => `${name} ${round(megabytesIn(folder))}`);
  const sumOf = (name: string) => metricValues(metrics, name).reduce((sum, value) => sum + value, 0);
  return {
    minute: round(since.minutes),
    acknowledged: `${total} (${[...counts.acknowledged].map(([kind, count]) => `${kind} ${count}`).join(", ")})`,
    refused: String(counts.refused),
    "5xx or cut": `${counts.failures} (${counts.failuresAroundKills} around kills)`,
    "booking p50, p99 ms": `${round(counts.booking.p50)}, ${round(counts.booking.p99)}`,
    "resident (anonymous) MB": processes
      .map(([name, { residentMb, anonymousMb }]) => `${name} ${round(residentMb)} (${round(anonymousMb)})`)
      .join(", "),
    "open files": processes.map(([name, { openFiles }]) => `${name} ${openFiles}`).join(", "),
    "active resources": String(sumOf("nodejs_active_resources_total")),
    "stored MB": stored.join(", "),
    lag: String(Math.max(0, ...metricValues(metrics, "projection_lag"))),
    "due, owed": `${sumOf("obligations_due")}, ${sumOf("webhook_events_waiting") + sumOf("webhook_lanes_owed")}`,
    kills: String([...since.kills.values()].reduce((sum, count) => sum + count, 0)),
  };
}

/** For a terminal. */
export function lineOf(minute: Minute): string {
  return Object.entries(minute)
    .map(([column, text]) => `${column}: ${text}`)
    .join("; ");
}

export function markdownOf(minutes: readonly Minute[]): string {
  const columns = Object.keys(minutes[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = minutes.map((minute) => line(columns.map((column) => minute[column] ?? "")));
  return [line(columns), line(columns.map(() => "---")), ...rows].join("\n");
}

/** Nothing where the process is away. */
async function readMetrics(url: string): Promise<string> {
  const response = await fetch(url).catch(() => undefined);
  return response?.status === 200 ? response.text() : "";
}

function round(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}
