import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { freePort } from "../engines/processes/free-port.ts";
import { newFolder } from "../engines/processes/new-folder.ts";
import { ServerProcess } from "../engines/processes/server-process.ts";
import { Service } from "../support/service.ts";
import { readComposeFile } from "./kit/compose-file.ts";
import { describeWithCommand } from "./kit/describe-with-command.ts";
import { FakeService } from "./kit/fake-service.ts";
import { ROOT } from "./kit/image-files.ts";
import { labelsIn, metricsIn } from "./kit/promql.ts";

const run = promisify(execFile);
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
/** Prometheus has the first itself; the second is a projector's that runs apart (projector/src/leased-projections.ts). */
const ELSEWHERE = ["up", "projection_held"];
/** What the containers beside Prometheus tell it. */
const EXPORTED = ["probe_success", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"];

describe("docker/monitoring", () => {
  let service: Service;
  let text: string;

  beforeAll(async () => {
    service = Service.spawn({ env: { BACKUP_TO: newFolder("backups") } });
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
    const missing = asked.filter((name) => ![...ELSEWHERE, ...EXPORTED].includes(name) && !hasMetric(text, name));
    expect(missing).toStrictEqual([]);
  });

  test.each(queries)("%s asks for labels and values that they have", (_, query) => {
    for (const { metric, label, value } of labelsIn(query)) {
      if (label === "job" || label === "component" || metric === "http_request_duration_seconds_count") continue;
      expect(text).toMatch(new RegExp(`^${metric}\\{[^}]*\\b${label}="${value}"`, "m"));
    }
  });
});

function hasMetric(text: string, name: string): boolean {
  return new RegExp(`^(?:${name}[ {]|# TYPE ${name} )`, "m").test(text);
}

describe("the configuration of Prometheus", () => {
  const configuration = parse(read("prometheus.yml"));
  const monitored = readComposeFile({ COMPOSE_PROFILES: "monitoring" }).services;
  const jobOf = (name: string) =>
    configuration.scrape_configs.find((job: { job_name: string }) => job.job_name === name);

  test("finds every instance of the four services, at the port that has their metrics", () => {
    const { dns_sd_configs, relabel_configs } = jobOf("travel-booking");
    const [{ names, type, port }] = dns_sd_configs;
    expect([names, type, port]).toStrictEqual([
      ["command-service", "query-service", "projector", "dispatcher"],
      "A",
      3001,
    ]);
    expect(monitored["webhook-dispatcher"]?.networks.services?.aliases).toContain("dispatcher");
    expect(relabel_configs).toStrictEqual([{ source_labels: ["__meta_dns_name"], target_label: "component" }]);
    const components = queries.flatMap(([, query]) => labelsIn(query).filter(({ label }) => label === "component"));
    expect(new Set(components.map(({ value }) => value))).toStrictEqual(new Set(names));
  });

  test("asks whether the API is ready where the proxy says so", () => {
    const { metrics_path, params, static_configs } = jobOf("api");
    const { PROXY_LISTEN = "" } = monitored.proxy?.environment ?? {};
    expect([metrics_path, params.target]).toStrictEqual(["/probe", [`http://proxy:${PROXY_LISTEN}/health/ready`]]);
    expect(static_configs[0].targets).toStrictEqual(["blackbox:9115"]);
    for (const name of ["blackbox", "prometheus", "proxy"])
      expect(monitored[name]?.networks).toHaveProperty("services");
  });

  test("sees the disk of every engine, and can change nothing there", () => {
    expect(jobOf("disks").static_configs[0].targets).toStrictEqual(["node-exporter:9100"]);
    const stored = ["eventstore", "mongodb", "redis"].flatMap((engine) => monitored[engine]?.volumes ?? []);
    const seen = stored.map((volume) => volume.split(":")[0]).map((name) => `${name}:/engines/${name}:ro`);
    expect(monitored["node-exporter"]?.volumes).toStrictEqual(seen);
    for (const name of ["node-exporter", "prometheus"]) expect(monitored[name]?.networks).toHaveProperty("monitoring");
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

describeWithCommand("promtool", "what Prometheus says of docker/monitoring", (promtool) => {
  test("its configuration is one", async () => {
    const folder = newFolder("prometheus");
    const rules = path.join(ROOT, "docker/monitoring/alerts.yml");
    fs.writeFileSync(
      path.join(folder, "prometheus.yml"),
      read("prometheus.yml").replace("/etc/prometheus/alerts.yml", rules),
    );
    await run(promtool, ["check", "config", path.join(folder, "prometheus.yml")]);
    fs.rmSync(folder, { recursive: true });
  });

  test("each alert fires when it should, with its sentence, and none does while all is well", async () => {
    const file = path.join(ROOT, "tests/deployment/alerts.yml");
    await run(promtool, ["test", "rules", file]);
    const tried = new Set(
      fs
        .readFileSync(file, "utf8")
        .matchAll(/alertname: (\w+)/g)
        .map(([, name]) => name),
    );
    expect(tried).toStrictEqual(new Set(alerts.map(({ alert }) => alert)));
  });
});

describeWithCommand("prometheus-node-exporter", "the exporter of disks", (command) => {
  test("has the metrics that alerts ask for, started as in docker-compose.yml", async () => {
    const { services } = readComposeFile({ COMPOSE_PROFILES: "monitoring" });
    const port = await freePort();
    const args = [...(services["node-exporter"]?.command ?? []), `--web.listen-address=127.0.0.1:${port}`];
    const server = await ServerProcess.start({ command, args, folder: newFolder("exporter"), ready: /Listening on/i });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await server.stop();
    const asked = EXPORTED.filter((name) => name.startsWith("node_"));
    expect(asked.filter((name) => !hasMetric(text, name))).toStrictEqual([]);
  });
});

describeWithCommand("prometheus-blackbox-exporter", "the exporter of readiness", (command) => {
  test.each([
    [200, 1],
    [503, 0],
  ])("where the proxy says %i, it says %i", async (status, expected) => {
    const ready = await FakeService.start("ready", (_, response) => response.writeHead(status).end());
    const [folder, port] = [newFolder("exporter"), await freePort()];
    // As in its image.
    const modules = path.join(folder, "modules.yml");
    fs.writeFileSync(modules, "modules: { http_2xx: { prober: http } }");
    const args = [`--config.file=${modules}`, `--web.listen-address=127.0.0.1:${port}`];
    const server = await ServerProcess.start({ command, args, folder, ready: /Listening on/i });
    const query = new URLSearchParams({ module: "http_2xx", target: `${ready.url}/health/ready` });
    const text = await (await fetch(`http://127.0.0.1:${port}/probe?${query}`)).text();
    await Promise.all([server.stop(), ready.stop()]);
    expect(text).toMatch(new RegExp(`^probe_success ${expected}$`, "m"));
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
