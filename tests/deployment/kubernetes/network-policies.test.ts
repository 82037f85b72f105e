import { BlockList } from "node:net";
import { expect, test } from "@jest/globals";
import { ofKind, SAID } from "../kit/chart.ts";
import type { Rendered, RenderedObject } from "../kit/chart-schema.ts";
import { describeChart } from "../kit/describe-chart.ts";

const SERVICES = ["command-service", "query-service", "projector", "webhook-dispatcher"];

describeChart("network policies", (chart) => {
  interface Call {
    readonly from: string;
    readonly to: string;
    readonly port: number;
  }
  type Peer = Rendered<"NetworkPolicy">["spec"]["egress"][number]["to"][number];
  const COMPONENT = "app.kubernetes.io/component";
  const componentOf = (peer: Peer) => peer.podSelector?.matchLabels[COMPONENT];
  const isOurs = (peer: Peer) => peer.namespaceSelector === undefined && componentOf(peer) !== undefined;
  const sorted = (calls: readonly Call[]) =>
    [...new Set(calls.map(({ from, to, port }) => `${from} > ${to}:${port}`))].sort();

  const allowed = (direction: "ingress" | "egress") =>
    Object.entries(chart.policies).flatMap(([name, { spec }]) => {
      const rules =
        direction === "ingress"
          ? spec.ingress.map(({ from, ports }) => ({ peers: from, ports }))
          : spec.egress.map(({ to, ports = [] }) => ({ peers: to, ports }));
      return rules.flatMap(({ peers, ports }) =>
        peers.filter(isOurs).flatMap((peer) =>
          ports.map(({ port }): Call => {
            const other = componentOf(peer)!;
            return direction === "ingress" ? { from: other, to: name, port } : { from: name, to: other, port };
          }),
        ),
      );
    });

  /** Whom the programs call by what they are told: addresses of Services, in URLs and in lines of nginx. */
  const needed = () =>
    chart.components.flatMap((from) =>
      Object.values(chart.environmentOf(from)).flatMap((value) => {
        const [, host = "", called] = /^(?:(?:http|tcp):\/\/|server )([^:/]+):(\d+)/.exec(value) ?? [];
        const service = chart.services[host.replace(/\.booking\.svc\.cluster\.local$/, "")];
        if (service === undefined) return [];
        const [{ port, targetPort = port }] = service.spec.ports;
        expect(Number(called)).toBe(port);
        return [{ from, to: service.spec.selector[COMPONENT]!, port: targetPort }];
      }),
    );

  test("each is for the pods of one component, and for both directions", () => {
    for (const [name, { spec }] of Object.entries(chart.policies)) {
      expect(spec.podSelector.matchLabels).toStrictEqual(chart.deployments[name]!.spec.template.metadata.labels);
      expect(spec.policyTypes).toStrictEqual(["Ingress", "Egress"]);
    }
    const labels = Object.values(chart.deployments).map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
    expect(new Set(labels).size).toBe(chart.components.length);
  });

  test("who has to be called may be called, by those that have to and by nobody else", () => {
    expect(sorted(allowed("egress"))).toStrictEqual(sorted(needed()));
    expect(sorted(allowed("ingress"))).toStrictEqual(sorted(needed()));
  });

  test("who may call whom shares a network in docker-compose.yml, or a folder that has a socket", () => {
    const folders = (name: string) =>
      chart.inCompose(name).volumes.map((volume) => volume.split(":").slice(0, 2).join(":"));
    const sockets = (name: string) => folders(name).filter((one) => one.split(":")[1]?.startsWith("/run/"));
    const joined = (name: string) => [...Object.keys(chart.inCompose(name).networks), ...sockets(name)];
    const apart = needed().filter(({ from, to }) => !joined(from).some((place) => joined(to).includes(place)));
    expect(sorted(apart)).toStrictEqual([]);
  });

  test("engines are reached by those that have their address, and are in their network in docker-compose.yml", () => {
    const engines = Object.entries({ eventStore: "EVENT_STORE_URL", mongodb: "MONGODB_URL", redis: "REDIS_URL" });
    for (const [engine, variable] of engines) {
      const { to } = SAID.engines[engine as keyof typeof SAID.engines];
      const cidr = to[0]!.ipBlock.cidr;
      const reaching = chart.components.filter((name) =>
        chart.policies[name]!.spec.egress.some((rule) => rule.to.some(({ ipBlock }) => ipBlock?.cidr === cidr)),
      );
      expect(reaching).toStrictEqual(chart.components.filter((name) => variable in chart.environmentOf(name)));
      for (const name of reaching) expect(chart.inCompose(name).networks).toHaveProperty("engines");
    }
  });

  test("the internet is reached by those that have a way out in docker-compose.yml, and nothing private by it", () => {
    const internet = (name: string) =>
      chart.policies[name]!.spec.egress.flatMap(({ to, ports }) =>
        to.flatMap(({ ipBlock }) => (ipBlock?.cidr.endsWith("/0") ? [{ ...ipBlock, ports }] : [])),
      );
    const hasWayOut = (name: string) =>
      Object.keys(chart.inCompose(name).networks).some(
        (network) => chart.composed.networks[network]?.internal !== true,
      );
    // The proxy publishes its ports by such a network.
    const expected = chart.components.filter((name) => hasWayOut(name) && chart.inCompose(name).ports.length === 0);
    expect(expected).toStrictEqual(["command-service", "webhook-dispatcher"]);
    expect(chart.components.filter((name) => internet(name).length > 0)).toStrictEqual(expected);
    for (const name of expected) {
      const closed = new BlockList();
      for (const one of internet(name).flatMap(({ except }) => except)) {
        const [address = "", bits] = one.split("/");
        closed.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
      }
      for (const address of ["10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254"]) {
        expect(closed.check(address)).toBe(true);
      }
      for (const address of ["fd00::1", "fe80::1"]) expect(closed.check(address, "ipv6")).toBe(true);
      expect([closed.check("192.0.2.1"), closed.check("2001:db8::1", "ipv6")]).toStrictEqual([false, false]);
    }
    expect(internet("command-service").map(({ ports }) => ports?.map(({ port }) => port))).toStrictEqual([
      [443],
      [443],
    ]);
  });

  test("names are looked up by those that call anybody; who calls nobody has no way out at all", () => {
    const silent = chart.components.filter((name) => chart.policies[name]!.spec.egress.length === 0);
    expect(silent).toStrictEqual(chart.components.filter((name) => "LISTEN" in chart.environmentOf(name)));
    const lookingUp = chart.components.filter((name) =>
      chart.policies[name]!.spec.egress.some(({ ports }) => ports?.some(({ protocol }) => protocol === "UDP")),
    );
    expect(lookingUp).toStrictEqual(chart.components.filter((name) => !silent.includes(name)));
    const elsewhere = ofKind(chart.render({ dns: { ports: [5353] } }), "NetworkPolicy").projector!.spec.egress;
    expect(elsewhere.at(-1)?.ports).toStrictEqual(["UDP", "TCP"].map((protocol) => ({ port: 5353, protocol })));
  });

  test("nobody comes in from outside but whom an operator names: to the API at the proxy, to metrics at the services", () => {
    const strangers = (of: readonly RenderedObject[]) =>
      Object.entries(ofKind(of, "NetworkPolicy")).flatMap(([name, { spec }]) =>
        spec.ingress
          .filter(({ from }) => !from.every(isOurs))
          .map(({ from, ports }) => [name, from[0]!.namespaceSelector?.matchLabels, ports.map(({ port }) => port)]),
      );
    expect(strangers(chart.objects)).toStrictEqual([]);
    const [gateway, monitoring] = [{ is: "gateway" }, { is: "monitoring" }];
    const opened = chart.render({
      api: { from: [{ namespaceSelector: { matchLabels: gateway } }] },
      metrics: { from: [{ namespaceSelector: { matchLabels: monitoring } }] },
    });
    expect(strangers(opened).sort()).toStrictEqual(
      [["proxy", gateway, [8080]], ...SERVICES.map((name) => [name, monitoring, [3001]])].sort(),
    );
  });
});
