import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ofKind } from "../kit/chart.ts";
import { describeChart } from "../kit/describe-chart.ts";

describeChart("pods", (chart) => {
  test.each(chart.components)(
    "%s has no rights: what the Pod Security Standard `restricted` asks for, and a read-only root",
    (name) => {
      const { automountServiceAccountToken, enableServiceLinks, securityContext, volumes } = chart.podOf(name);
      expect([automountServiceAccountToken, enableServiceLinks]).toStrictEqual([false, false]);
      const user = name === "proxy" ? 101 : 1_000;
      expect(securityContext).toStrictEqual({
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(chart.containerOf(name).securityContext).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(volumes.map((volume) => ("emptyDir" in volume ? "memory" : volume.configMap.name))).toStrictEqual(
        name === "proxy" ? ["memory", "travel-booking-proxy-files"] : ["memory"],
      );
    },
  );

  test.each(chart.components)("%s may take what it may in docker-compose.yml", (name) => {
    const { cpus, memory } = chart.inCompose(name).deploy.resources.limits;
    const { limits, requests } = chart.containerOf(name).resources;
    expect(Number(limits.cpu)).toBe(Number(cpus));
    // Two command-services may have documents read by one reader.
    expect(limits.memory).toBe(name === "document-reader" ? "5Gi" : `${memory}i`);
    expect(Object.keys(requests)).toStrictEqual(Object.keys(limits));
  });

  test.each(chart.components)("%s is spread, is replaced without a gap, and has the time to end", (name) => {
    const { spec } = chart.deployments[name]!;
    expect(spec.strategy).toStrictEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: "100%", maxUnavailable: 0 },
    });
    const { topologySpreadConstraints, terminationGracePeriodSeconds } = chart.podOf(name);
    for (const { labelSelector } of topologySpreadConstraints) {
      expect(labelSelector.matchLabels).toStrictEqual(spec.template.metadata.labels);
    }
    // What the proxy, and the cluster's DNS before it, may still know of an instance.
    const [, valid] = /valid=(\d+)s/.exec(chart.files["travel-booking-proxy"]!.data.PROXY_RESOLVER!) ?? [];
    const { seconds } = chart.containerOf(name).lifecycle.preStop.sleep;
    expect(seconds).toBeGreaterThan(Number(valid) + 5);
    const ended = Number.parseInt(chart.inCompose(name).stop_grace_period!, 10);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + ended);
    expect(spec.selector.matchLabels).toStrictEqual(spec.template.metadata.labels);
    expect(ofKind(chart.objects, "PodDisruptionBudget")[name]!.spec).toStrictEqual({
      maxUnavailable: 1,
      selector: spec.selector,
    });
  });

  test("the number of command- and query-services follows what they have to do; of all others it is fixed", () => {
    const scalers = ofKind(chart.objects, "HorizontalPodAutoscaler");
    expect(Object.keys(scalers)).toStrictEqual(["command-service", "query-service"]);
    for (const [name, { spec }] of Object.entries(scalers)) {
      expect(spec.scaleTargetRef).toStrictEqual({ apiVersion: "apps/v1", kind: "Deployment", name });
    }
    const fixed = chart.components.filter((name) => chart.deployments[name]!.spec.replicas !== undefined);
    expect(fixed).toStrictEqual(chart.components.filter((name) => !(name in scalers)));
    const alone = chart.render({ components: { "query-service": { replicas: 1, maxReplicas: null } } });
    expect(ofKind(alone, "Deployment")["query-service"]!.spec.replicas).toBe(1);
    expect(Object.keys(ofKind(alone, "HorizontalPodAutoscaler"))).toStrictEqual(["command-service"]);
  });

  test("every Service leads to pods there are", () => {
    for (const { spec } of Object.values(chart.services)) {
      const matching = Object.values(chart.deployments).filter(
        (one) => JSON.stringify(one.spec.template.metadata.labels) === JSON.stringify(spec.selector),
      );
      expect(matching).toHaveLength(1);
    }
    expect(chart.services.api!.spec.ports).toStrictEqual([{ port: 80, targetPort: 8080 }]);
    const evenUnready = Object.keys(chart.services).filter(
      (name) => chart.services[name]!.spec.publishNotReadyAddresses === true,
    );
    expect(evenUnready).toStrictEqual(["command-service-operator", "webhook-dispatcher-operator"]);
  });

  describe("whether a service may be sent requests", () => {
    const answer = { status: 200, body: {} as object };
    const server = createServer((_, response) => response.writeHead(answer.status).end(JSON.stringify(answer.body)));
    const isReady = async (port: number) => {
      const [program, ...args] = chart.containerOf("command-service").readinessProbe.exec!.command;
      expect(program).toBe("node");
      const child = spawn(
        process.execPath,
        args.map((one) => one.replace(":3000/", `:${port}/`)),
        { stdio: "ignore" },
      );
      const [code] = await once(child, "exit");
      return code === 0;
    };
    const port = () => (server.address() as AddressInfo).port;

    beforeAll(async () => {
      await once(server.listen(0, "127.0.0.1"), "listening");
    });
    afterAll(() => {
      server.close();
    });

    test.each([
      ["ready", 200, {}, true],
      ["without a server, as all others are then", 503, { message: ["store"] }, true],
      ["without read models of its own", 503, { message: ["starting"] }, false],
      ["without both", 503, { message: ["store", "starting"] }, false],
      ["stopping", 503, { message: ["stopping"] }, false],
    ])("one that is %s", async (_, status, body, expected) => {
      Object.assign(answer, { status, body });
      expect(await isReady(port())).toBe(expected);
    });

    test("one that does not listen", async () => {
      const closed = createServer();
      await once(closed.listen(0, "127.0.0.1"), "listening");
      const { port: free } = closed.address() as AddressInfo;
      closed.close();
      await once(closed, "close");
      expect(await isReady(free)).toBe(false);
    });
  });
});
