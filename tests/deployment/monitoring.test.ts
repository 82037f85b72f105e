import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { Service } from "../support/service.ts";
import { readComposeFile } from "./kit/compose-file.ts";
import { ROOT } from "./kit/image-files.ts";
import { labelsIn, metricsIn } from "./kit/promql.ts";

const read = (file: string) => fs.readFileSync(path.join(ROOT, "docker/monitoring", file), "utf8");

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const alerts: readonly Alert[] = parse(read("alerts.yml")).groups.flatMap((group: { rules: Alert[] }) => group.rules);
const dashboard: { readonly uid: string; readonly panels: readonly Panel[] } = JSON.parse(
  read("grafana/dashboards/travel-booking.json"),
);
const queries = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];
/** Prometheus has the first itself; the other is a projector's that runs apart (projector/src/leased-projections.ts). */
const ELSEWHERE = ["up", "projection_held"];

describe("docker/monitoring", () => {
  let service: Service;
  let text: string;

  beforeAll(async () => {
    service = Service.spawn();
    await service.ready();
    // One of its own, so that there are durations.
    await fetch(new URL("/v1/flights", service.baseUrl));
    text = await (await fetch(new URL("/metrics", service.operatorUrl))).text();
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await service.discard();
  });

  test.each(queries)("%s asks for metrics that a running service has", (_, query) => {
    const asked = metricsIn(query);
    expect(asked.length).toBeGreaterThan(0);
    const missing = asked.filter((name) => !ELSEWHERE.includes(name) && !hasMetric(name));
    expect(missing).toStrictEqual([]);
  });

  test.each(queries)("%s asks for labels and values that they have", (_, query) => {
    for (const { metric, label, value } of labelsIn(query)) {
      if (label === "job" || label === "component" || metric === "http_request_duration_seconds_count") continue;
      expect(text).toMatch(new RegExp(`^${metric}\\{[^}]*\\b${label}="${value}"`, "m"));
    }
  });

  function hasMetric(name: string): boolean {
    return new RegExp(`^(?:${name}[ {]|# TYPE ${name} )`, "m").test(text);
  }
});

describe("the configuration of Prometheus", () => {
  const configuration = parse(read("prometheus.yml"));
  const monitored = readComposeFile({ COMPOSE_PROFILES: "monitoring" }).services;

  test("finds every instance of the four services, at the port that has their metrics", () => {
    const [{ job_name, dns_sd_configs, relabel_configs }] = configuration.scrape_configs;
    const [{ names, type, port }] = dns_sd_configs;
    expect([job_name, names, type, port]).toStrictEqual([
      "travel-booking",
      ["command-service", "query-service", "projector", "dispatcher"],
      "A",
      3001,
    ]);
    expect(monitored["webhook-dispatcher"]?.networks.services?.aliases).toContain("dispatcher");
    expect(relabel_configs).toStrictEqual([{ source_labels: ["__meta_dns_name"], target_label: "component" }]);
    const components = queries.flatMap(([, query]) => labelsIn(query).filter(({ label }) => label === "component"));
    expect(new Set(components.map(({ value }) => value))).toStrictEqual(new Set(names));
  });

  test("reads files that are mounted", () => {
    const mounts = monitored.prometheus?.volumes.map((volume) => volume.split(":")) ?? [];
    const file = (target: string) => mounts.find(([, mounted]) => mounted === target)?.[0] ?? "";
    expect(configuration.rule_files).toStrictEqual(["/etc/prometheus/alerts.yml"]);
    for (const target of ["/etc/prometheus/prometheus.yml", "/etc/prometheus/alerts.yml"]) {
      expect(fs.statSync(path.join(ROOT, file(target))).isFile()).toBe(true);
    }
  });

  test("has alerts with names of their own, times and a sentence each", () => {
    expect(alerts.length).toBeGreaterThan(10);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, for: time = "0m", annotations } of alerts) {
      expect(alert).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(time).toMatch(/^\d+m$/);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  test("has every alert that the page lists, and no other metric is alerted on", () => {
    const page = fs.readFileSync(path.join(ROOT, "docs/operations.md"), "utf8");
    const table = page.slice(page.indexOf("### Alerts"), page.indexOf("### Logs"));
    const listed = [...table.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b/g)].map(([, name]) => name);
    const asked = new Set(alerts.flatMap(({ expr }) => metricsIn(expr)));
    expect([...new Set(listed)].filter((name = "") => !asked.has(name))).toStrictEqual([]);
    expect([...asked].filter((name) => name !== "up" && !listed.includes(name))).toStrictEqual([]);
  });
});

describe("the dashboard of Grafana", () => {
  test("asks the Prometheus that is provisioned", () => {
    const { datasources } = parse(read("grafana/provisioning/datasources/prometheus.yml"));
    expect(datasources).toStrictEqual([
      { name: "Prometheus", uid: "prometheus", type: "prometheus", url: "http://prometheus:9090", isDefault: true },
    ]);
    for (const panel of dashboard.panels) expect(panel).toHaveProperty("datasource.uid", datasources[0].uid);
  });

  test("is found where it is mounted", () => {
    const { grafana } = readComposeFile({ COMPOSE_PROFILES: "monitoring" }).services;
    const { providers } = parse(read("grafana/provisioning/dashboards/files.yml"));
    expect(providers[0].options.path).toBe("/etc/grafana/dashboards");
    expect(grafana?.volumes).toContain("./docker/monitoring/grafana/dashboards:/etc/grafana/dashboards:ro");
    expect(grafana?.volumes).toContain("./docker/monitoring/grafana/provisioning:/etc/grafana/provisioning:ro");
    expect(grafana?.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(
      "/etc/grafana/dashboards/travel-booking.json",
    );
  });

  test("has panels beside one another, with ids of their own", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const corners = dashboard.panels.map(({ gridPos: { x, y } }) => `${x},${y}`);
    expect(new Set(corners).size).toBe(corners.length);
    for (const { gridPos } of dashboard.panels) expect(gridPos).toMatchObject({ w: 8, h: 8 });
  });

  test("shows how business goes", () => {
    const titles = dashboard.panels.map(({ title }) => title);
    expect(titles.slice(0, 4)).toStrictEqual(["Bookings", "Payments", "Holds", "Refunds pending"]);
  });
});
