import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { readSettings, shownSettings } from "@travel-booking/runtime";
import { requireSettings } from "@travel-booking/service-host";
import { ofKind, SAID } from "../kit/chart.ts";
import { describeChart, SECRETS } from "../kit/describe-chart.ts";
import { neededBy } from "../kit/needed-settings.ts";
import { templateVariables } from "../kit/proxy-configuration.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

const SERVICES = ["command-service", "query-service", "projector", "webhook-dispatcher"];
/** Of `npm start` alone. */
const EMBEDDED = ["BACKUP_EVERY", "BACKUP_KEEP", "BACKUP_TO", "DEMO", "DISK_RESERVE_MB", "READ_ONLY"];

describeChart("settings", (chart) => {
  test.each(SERVICES)("%s is told all that it needs", (name) => {
    const settings = requireSettings(readSettings(chart.environmentOf(name)), ...neededBy(name));
    expect([settings.host, settings.port]).toStrictEqual(["0.0.0.0", 3000]);
    expect([settings.operatorHost, settings.operatorPort]).toStrictEqual(["0.0.0.0", 3001]);
    expect(settings.trustedProxies).toStrictEqual(SAID.podSubnets);
    expect(settings.metricsAllow).toStrictEqual(["127.0.0.1", "::1", ...SAID.podSubnets]);
  });

  test("every one that a service reads is set by the chart, is in the Secret, or can be given", () => {
    const gateways =
      read("packages/payment-gateway/src/gateways.ts") + read("packages/payment-gateway/src/stripe/settings.ts");
    const ofGateways = [...gateways.matchAll(/\b(?:PAYMENT_GATEWAY|STRIPE_[A-Z_]+)\b/g)].map(([name]) => name);
    expect(new Set(ofGateways).size).toBe(4);
    const known = new Set([...Object.keys(shownSettings(readSettings({}))), ...ofGateways]);
    const schema = JSON.parse(read("docker/kubernetes/values.schema.json"));
    const given: string[] = schema.properties.settings.propertyNames.enum;
    const ofChart = chart.components
      .filter((name) => name !== "proxy")
      .flatMap((name) => Object.keys(chart.environmentOf(name)));
    expect(given.filter((name) => ofChart.includes(name))).toStrictEqual([]);
    const ofImages = [...read("Dockerfile").matchAll(/^ENV ([A-Z_]+)=\//gm)].map(([, name = ""]) => name);
    expect(new Set([...given, ...ofChart, ...ofImages, ...EMBEDDED])).toStrictEqual(known);
  });

  test("what is given reaches all that read settings, and starts them anew", () => {
    const settings = { LOG_LEVEL: "debug", QUOTA_PASSENGERS: "1000000", CORS_ORIGINS: "https://shop.example.com" };
    const changed = chart.render({ settings });
    const files = ofKind(changed, "ConfigMap");
    expect(files["travel-booking-settings"]!.data).toMatchObject(settings);
    expect(files["travel-booking-proxy"]!.data).toMatchObject({ PROXY_CORS_ORIGINS: settings.CORS_ORIGINS });
    for (const name of chart.components) {
      const { annotations } = ofKind(changed, "Deployment")[name]!.spec.template.metadata;
      expect(annotations).not.toStrictEqual(chart.deployments[name]!.spec.template.metadata.annotations);
      expect(chart.containerOf(name).envFrom[0].configMapRef.name).toBe(
        name === "proxy" ? "travel-booking-proxy" : "travel-booking-settings",
      );
    }
  });

  test("secrets come from a Secret that is the operator's, and each service has those it has in docker-compose.yml", () => {
    expect(chart.objects.filter(({ kind }) => String(kind) === "Secret")).toStrictEqual([]);
    for (const name of chart.components) {
      const referred = (chart.containerOf(name).env ?? []).flatMap(({ name, valueFrom }) => {
        if (valueFrom === undefined) return [];
        expect([valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key]).toStrictEqual(["travel-booking", name]);
        return [name];
      });
      const { environment } = chart.inCompose(name);
      expect(referred.sort()).toStrictEqual(
        Object.keys(environment)
          .filter((one) => one in SECRETS)
          .sort(),
      );
      expect(new Set(referred.filter((one) => SECRETS[one] !== ""))).toStrictEqual(
        new Set(
          (chart.containerOf(name).env ?? []).flatMap(({ name, valueFrom }) =>
            valueFrom !== undefined && valueFrom.secretKeyRef.optional === undefined ? [name] : [],
          ),
        ),
      );
    }
  });

  test("the proxy has what it has in docker-compose.yml, and looks names up in the cluster", () => {
    const { data } = chart.files["travel-booking-proxy"]!;
    const { environment } = chart.inCompose("proxy");
    expect(Object.keys(data).sort()).toStrictEqual(Object.keys(environment).sort());
    expect(
      Object.keys(data)
        .filter((name) => name.startsWith("PROXY_"))
        .sort(),
    ).toStrictEqual(templateVariables());
    const ofCluster = Object.entries(data).filter(([name, value]) => environment[name] !== value);
    expect(ofCluster.map(([name]) => name).sort()).toStrictEqual(
      ["PROXY_RESOLVER", ...Object.keys(environment).filter((name) => name.endsWith("_SERVERS"))].sort(),
    );
    expect(data.PROXY_RESOLVER).toBe("resolver kube-dns.kube-system.svc.cluster.local valid=5s ipv6=off;");
    const { "nginx.conf.template": template, "address.conf": address } =
      chart.files["travel-booking-proxy-files"]!.data;
    expect(template).toBe(read("docker/proxy/nginx.conf.template"));
    expect(address).not.toMatch(/set_real_ip_from/);
    const trusting = chart.render({ api: { trusted: ["10.244.7.0/24"] } });
    expect(ofKind(trusting, "ConfigMap")["travel-booking-proxy-files"]!.data["address.conf"]).toBe(
      "real_ip_header X-Forwarded-For;\nreal_ip_recursive on;\nset_real_ip_from 10.244.7.0/24;\n",
    );
  });
});
