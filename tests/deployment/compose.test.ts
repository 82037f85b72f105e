import fs from "node:fs";
import { BlockList } from "node:net";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readSettings } from "@travel-booking/runtime";
import { requireSettings } from "@travel-booking/service-host";
import { parse } from "yaml";
import { CONTAINERS } from "../engines/containers/container.ts";
import { readComposeFile } from "./kit/compose-file.ts";
import type { Container } from "./kit/compose-schema.ts";
import { neededBy } from "./kit/needed-settings.ts";
import { templateVariables } from "./kit/proxy-configuration.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const OURS = ["command-service", "query-service", "projector", "webhook-dispatcher"];
const ENGINES = ["eventstore", "mongodb", "redis"];
/** With the service that each works for, and the setting by which that finds it. */
const WORKERS = [
  ["document-reader", "command-service", "DOCUMENT_READER_URL"],
  ["boarding-pass-printer", "query-service", "BOARDING_PASS_PRINTER_URL"],
] as const;
const WORKING = WORKERS.map(([name]) => name);

describe("docker-compose.yml", () => {
  const { services, networks, volumes } = readComposeFile();
  const all = Object.entries(services);
  const lasting = all.filter(([name]) => name !== "secrets");
  const service = (name: string): Container => services[name] as Container;

  test("has the four services, what works for them, their engines, a proxy, and what makes their secrets", () => {
    expect(Object.keys(services).sort()).toStrictEqual([...OURS, ...WORKING, ...ENGINES, "proxy", "secrets"].sort());
  });

  test.each(WORKERS)(
    "%s has no network and no secret, and a socket that the %s alone reaches",
    (name, caller, setting) => {
      const { network_mode, networks, ports, environment, volumes, deploy } = service(name);
      expect([network_mode, networks, ports]).toStrictEqual(["none", {}, []]);
      expect(
        Object.keys(environment).filter((variable) => !/^(LISTEN|LOG_LEVEL|BROWSER_SANDBOX)$/.test(variable)),
      ).toStrictEqual([]);
      const folder = `/run/${name}`;
      expect(volumes).toStrictEqual([`${name}:${folder}`]);
      const sharing = all.filter(([, one]) => one.volumes.some((volume) => volume.startsWith(`${name}:`)));
      expect(sharing.map(([one]) => one).sort()).toStrictEqual([name, caller].sort());
      expect(service(caller).volumes).toContain(`${name}:${folder}:ro`);
      const address = `unix:${folder}/socket`;
      expect([environment.LISTEN, service(caller).environment[setting]]).toStrictEqual([address, address]);
      expect(service(caller).depends_on[name]).toStrictEqual({ condition: "service_healthy" });
      expect(JSON.stringify(service(name).healthcheck)).toContain(`${folder}/socket`);
      expect(readSettings(environment).listen).toBe(address);
      expect(Object.keys(deploy.resources.limits).sort()).toStrictEqual(["cpus", "memory", "pids"]);
    },
  );

  test("every image has a full version, and every other's a digest, but for EventStoreDB's, which an operator pins", () => {
    const containers = Object.entries(readComposeFile({ COMPOSE_PROFILES: "monitoring" }).services);
    for (const [, { image }] of containers)
      expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+\.\d+(-[a-z0-9.]+)?(@sha256:[0-9a-f]{64})?$/);
    const unpinned = containers.filter(([, { image }]) => !image.includes("@"));
    expect(unpinned.map(([name]) => name).sort()).toStrictEqual([...OURS, ...WORKING, "eventstore", "secrets"].sort());
    expect(fs.readFileSync(path.join(ROOT, "docs/operations.md"), "utf8")).toContain(
      `docker image inspect --format '{{index .RepoDigests 0}}' ${service("eventstore").image}`,
    );
  });

  test("every image of ours is built once, by a service that starts before those that use it", () => {
    const builders = new Map(all.flatMap(([name, { build, image }]) => (build === undefined ? [] : [[image, name]])));
    expect([...builders.values()].sort()).toStrictEqual(["secrets", ...WORKING].sort());
    for (const name of OURS) expect(builders.get(service(name).image)).toBe("secrets");
    expect(all.filter(([, { build }]) => build !== undefined)).toHaveLength(builders.size);
  });

  test.each([...OURS, ...WORKING, "secrets"])("%s: no registry is asked for its image", (name) => {
    expect(service(name).pull_policy).toBe("never");
  });

  test.each([...OURS, ...WORKING])("%s has an init that buries the processes it leaves", (name) => {
    expect(service(name).init).toBe(true);
  });

  test("the engines are those that the tests run against", () => {
    const { redis, mongo, eventStore } = CONTAINERS;
    expect(service("redis").image.startsWith(`${redis.image}.`)).toBe(true);
    expect(service("mongodb").image.startsWith(`${mongo.image}.`)).toBe(true);
    expect(service("eventstore").image.startsWith(`${eventStore.image}.`)).toBe(true);
    expect(service("mongodb").environment).toMatchObject(mongo.environment);
    expect(service("eventstore").environment).toMatchObject(eventStore.environment);
    expect(service("eventstore").platform).toBe(eventStore.platform);
  });

  test("EventStoreDB starts in an emulation of amd64, too", () => {
    const { platform, environment } = service("eventstore");
    expect(platform).toBe("linux/amd64");
    expect(environment).toMatchObject({ DOTNET_USE_POLLING_FILE_WATCHER: "1", DOTNET_EnableWriteXorExecute: "0" });
  });

  test("EventStoreDB is started again whatever its exit code: it is 0 where it has to truncate its log", () => {
    expect(service("eventstore").restart).toBe("always");
  });

  test("MongoDB starts on Linux 6.19 to 7.0.13, too", () => {
    expect(service("mongodb").environment.GLIBC_TUNABLES).toBe("glibc.pthread.rseq=1");
  });

  test.each(lasting)("%s is watched, is restarted, and is given time to end", (_, container) => {
    expect(container.healthcheck).toHaveProperty("test");
    expect(["unless-stopped", "always"]).toContain(container.restart);
    expect(container.stop_grace_period).toBeDefined();
  });

  test.each(all)("%s has no rights, and can't fill the disk with its log", (_, container) => {
    expect(container.cap_drop).toStrictEqual(["ALL"]);
    expect(container.security_opt).toStrictEqual(["no-new-privileges:true"]);
    expect(container.logging.options).toStrictEqual({ "max-size": "10m", "max-file": "5" });
  });

  test("every root file system is read-only, but for the one engine's that was not made for it", () => {
    expect(all.filter(([, { read_only }]) => !read_only).map(([name]) => name)).toStrictEqual(["eventstore"]);
  });

  test.each(OURS)("%s is run by its own command, and has longer to end than it takes", (name) => {
    expect(service(name).command).toStrictEqual(["node", `${name}/src/main.ts`]);
    expect(Number.parseInt(service(name).stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(12);
  });

  test.each(OURS)("%s is told all the settings it needs", (name) => {
    const needed = neededBy(name);
    expect(needed).toContain("secretKey");
    const { environment } = service(name);
    const secrets = { SECRET_KEY: "k".repeat(43), OPERATOR_TOKEN: "t".repeat(43) };
    const settings = requireSettings(readSettings({ ...environment, ...secrets }), ...needed);
    expect([settings.host, settings.port]).toStrictEqual(["0.0.0.0", 3000]);
    expect([settings.operatorHost, settings.operatorPort]).toStrictEqual(["0.0.0.0", 3001]);
  });

  test("the machine listens on 127.0.0.1 alone, for the proxy", () => {
    const published = all.flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toStrictEqual([
      ["proxy", "127.0.0.1:3000:8080"],
      ["proxy", "127.0.0.1:3001:8081"],
    ]);
  });

  test("the API can be published elsewhere, the operator interface can't", () => {
    const elsewhere = readComposeFile({ PUBLIC_HOST: "0.0.0.0", PUBLIC_PORT: "80", OPERATOR_PORT: "4001" });
    expect(elsewhere.services.proxy?.ports).toStrictEqual(["0.0.0.0:80:8080", "127.0.0.1:4001:8081"]);
  });

  test("a service can be run several times over: it has no name or port of its own", () => {
    for (const name of OURS) {
      expect(service(name).ports).toStrictEqual([]);
      expect(service(name)).not.toHaveProperty("container_name");
    }
  });

  test.each(OURS)(
    "the environment says how many instances of %s there are, so that no command takes them away",
    (name) => {
      const variable = `${name.toUpperCase().replace("-", "_")}_REPLICAS`;
      expect(service(name).deploy.replicas).toBe("1");
      expect(readComposeFile({ [variable]: "3" }).services[name]?.deploy.replicas).toBe("3");
    },
  );

  test("there is no secret in it", () => {
    const secrets = all.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /SECRET|TOKEN|PASSWORD|KEY/.test(name)),
    );
    expect(new Set(secrets.map(([, value]) => value))).toStrictEqual(new Set([""]));
    expect(fs.readFileSync(path.join(ROOT, "docker-compose.yml"), "utf8")).not.toMatch(/:\/\/[^/\s]*@/);
  });

  test("secrets are made before anything reads them, and can be brought along", () => {
    expect(service("secrets").volumes).toStrictEqual(["secrets:/data", "secret-key:/secret-key"]);
    for (const name of OURS) {
      expect(service(name).depends_on.secrets).toStrictEqual({ condition: "service_completed_successfully" });
      const token = neededBy(name).includes("operatorToken");
      const mounted = service(name).volumes.filter((volume) => volume.includes("secret"));
      expect(mounted).toStrictEqual([`${token ? "secrets" : "secret-key"}:/data:ro`]);
      expect("OPERATOR_TOKEN" in service(name).environment).toBe(token);
    }
    const brought = readComposeFile({ SECRET_KEY: "mine", OPERATOR_TOKEN: "mine too" }).services;
    expect(brought.projector?.environment.SECRET_KEY).toBe("mine");
    expect(brought["command-service"]?.environment.OPERATOR_TOKEN).toBe("mine too");
    expect(brought.secrets?.environment).toStrictEqual({ SECRET_KEY: "mine", OPERATOR_TOKEN: "mine too" });
  });

  test("engines and services have no way out, but for the dispatcher and, away from the proxy, the command-service", () => {
    const open = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
    const inside = (network: string) => all.filter(([, one]) => network in one.networks).map(([name]) => name);
    expect(open.map((network) => [network, inside(network)])).toStrictEqual([
      ["edge", ["webhook-dispatcher", "proxy"]],
      ["outside", ["command-service"]],
    ]);
    for (const engine of ENGINES) expect(Object.keys(service(engine).networks)).toStrictEqual(["engines"]);
    expect(service("proxy").networks).not.toHaveProperty("engines");
  });

  test("what a client's address is, only the proxy is believed, wherever the network is", () => {
    const elsewhere = readComposeFile({ SUBNET_PREFIX: "10.9.8", OUTER_PROXIES: "192.0.2.1,192.0.2.2" });
    expect(elsewhere.networks.services?.ipam?.config).toStrictEqual([
      { subnet: "10.9.8.0/24", ip_range: "10.9.8.128/25" },
    ]);
    expect(elsewhere.services.proxy?.networks.services).toStrictEqual({ ipv4_address: "10.9.8.10" });
    const trusted = "10.9.8.10,192.0.2.1,192.0.2.2";
    for (const name of ["command-service", "query-service", "webhook-dispatcher"]) {
      expect(elsewhere.services[name]?.environment.TRUSTED_PROXIES).toBe(trusted);
    }
    expect(service("query-service").environment.TRUSTED_PROXIES).toBe("172.30.42.10");
  });

  test("whose pages may read is told to all that answer", () => {
    const { services } = readComposeFile({ CORS_ORIGINS: "https://shop.example.com" });
    const told = Object.entries(services).flatMap(([name, { environment = {} }]) =>
      Object.keys(environment)
        .filter((variable) => environment[variable] === "https://shop.example.com")
        .map((variable) => [name, variable]),
    );
    expect(told).toStrictEqual([
      ["command-service", "CORS_ORIGINS"],
      ["query-service", "CORS_ORIGINS"],
      ["webhook-dispatcher", "CORS_ORIGINS"],
      ["proxy", "PROXY_CORS_ORIGINS"],
    ]);
  });

  test.each(OURS)("%s: containers read its metrics without a token, the proxy and the machine do not", (name) => {
    const { services, networks } = readComposeFile({ SUBNET_PREFIX: "10.9.8" });
    const secrets = { SECRET_KEY: "k".repeat(43), OPERATOR_TOKEN: "t".repeat(43) };
    const { metricsAllow } = readSettings({ ...services[name]?.environment, ...secrets });
    const allowed = new BlockList();
    for (const one of metricsAllow) {
      const [address = "", bits = "32"] = one.split("/");
      if (address !== "::1") allowed.addSubnet(address, Number(bits));
    }
    expect(networks.services?.ipam?.config[0]?.ip_range).toBe("10.9.8.128/25");
    // The first address of the range is the machine's.
    const others = Array.from({ length: 128 }, (_, index) => `10.9.8.${index + 128}`).slice(1);
    expect(others.filter((address) => !allowed.check(address))).toStrictEqual([]);
    const refused = ["10.9.8.128", services.proxy?.networks.services?.ipv4_address ?? "", "10.9.8.1", "10.9.9.0"];
    expect(refused.filter((address) => allowed.check(address))).toStrictEqual([]);
  });

  test("the proxy is told all that its template leaves open, and finds its services by name", () => {
    const { environment } = service("proxy");
    const told = Object.keys(environment).filter((name) => name.startsWith("PROXY_"));
    expect(told.sort()).toStrictEqual(templateVariables());
    const names = [...OURS, ...OURS.flatMap((name) => service(name).networks.services?.aliases ?? [])];
    const hosts = Object.values(environment).flatMap((value) => /^server ([a-z-]+):/.exec(value)?.[1] ?? []);
    expect(hosts).toHaveLength(5);
    expect(hosts.filter((host) => !names.includes(host))).toStrictEqual([]);
  });

  test("the proxy says in whole seconds when it knows other instances, which an upgrade waits for", () => {
    const { environment } = service("proxy");
    expect(environment.PROXY_RESOLVER).toMatch(/ valid=\d+s /);
    const servers = Object.entries(environment).filter(([name]) => name.endsWith("_SERVERS"));
    for (const [, value] of servers) expect(value).toMatch(/ fail_timeout=\d+s;$/);
  });

  test("every volume and every network that is named is there, and is used", () => {
    const containers = Object.values(readComposeFile({ COMPOSE_PROFILES: "monitoring" }).services);
    const mounted = containers.flatMap((container) => container.volumes.filter((volume) => !volume.startsWith(".")));
    expect(new Set(mounted.map((volume) => volume.split(":")[0]))).toStrictEqual(new Set(Object.keys(volumes)));
    const joined = containers.flatMap((container) => Object.keys(container.networks));
    expect(new Set(joined)).toStrictEqual(new Set(Object.keys(networks)));
  });

  test("the profile monitoring adds four containers, hardened like the others, of which one can be reached on 127.0.0.1", () => {
    const { services: monitored } = readComposeFile({ COMPOSE_PROFILES: "monitoring" });
    const added = Object.keys(monitored).filter((name) => !(name in services));
    expect(added).toStrictEqual(["prometheus", "blackbox", "node-exporter", "grafana"]);
    for (const name of added) {
      const { user, read_only, cap_drop, restart, logging, healthcheck } = monitored[name] as Container;
      // The others' images name one.
      expect(user).toBe(name === "blackbox" ? "65534:65534" : undefined);
      expect([read_only, cap_drop, restart]).toStrictEqual([true, ["ALL"], "unless-stopped"]);
      expect(logging.options).toStrictEqual({ "max-size": "10m", "max-file": "5" });
      expect(healthcheck).toHaveProperty("test");
    }
    const published = added.filter((name) => monitored[name]?.ports.length !== 0);
    expect(published).toStrictEqual(["grafana"]);
    expect(monitored.grafana?.ports).toStrictEqual(["127.0.0.1:3002:3000"]);
    // What reads metrics has no way out; what has one sees no service.
    const joined = added.map((name) => Object.keys(monitored[name]?.networks ?? {}));
    expect(joined).toStrictEqual([["services", "monitoring"], ["services"], ["monitoring"], ["monitoring", "edge"]]);
  });

  test("the settings that .env.example tells of are those there are", () => {
    const text = fs.readFileSync(path.join(ROOT, "docker-compose.yml"), "utf8");
    const taken = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
    const told = fs.readFileSync(path.join(ROOT, ".env.example"), "utf8").matchAll(/^# ?([A-Z_]+)=/gm);
    const known = [...new Set(taken), "COMPOSE_PROFILES"];
    expect([...told].map(([, name]) => name).sort()).toStrictEqual(known.sort());
  });
});

describe("docker/eventstoredb-cluster.yml", () => {
  const { services, volumes } = readComposeFile({}, "docker/eventstoredb-cluster.yml");
  const nodes = ["eventstore", "eventstore-2", "eventstore-3"];
  const node = (name: string): Container => services[name] as Container;

  test("adds two nodes, each with a volume of its own", () => {
    const before = readComposeFile();
    expect(Object.keys(services)).toStrictEqual([...Object.keys(before.services), ...nodes.slice(1)]);
    expect(Object.keys(volumes)).toStrictEqual([...Object.keys(before.volumes), ...nodes.slice(1)]);
    for (const name of nodes) expect(node(name).volumes).toStrictEqual([`${name}:/var/lib/eventstore`]);
  });

  test.each(nodes)("%s is a node like the one in docker-compose.yml, and knows the two others", (name) => {
    const { environment: expected, ...alone } = readComposeFile().services.eventstore as Container;
    const { environment, ...rest } = node(name);
    expect({ ...rest, volumes: [] }).toStrictEqual({ ...alone, volumes: [] });
    const others = nodes.filter((other) => other !== name).map((other) => `${other}:2113`);
    expect(environment).toStrictEqual({
      ...expected,
      EVENTSTORE_CLUSTER_SIZE: "3",
      EVENTSTORE_DISCOVER_VIA_DNS: "false",
      EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
      EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: name,
      EVENTSTORE_GOSSIP_SEED: others.join(),
    });
  });

  test.each(["command-service", "projector"])("%s is told of all nodes", (name) => {
    const { EVENT_STORE_URL = "" } = node(name).environment;
    expect(EVENT_STORE_URL).toBe(`esdb://${nodes.map((one) => `${one}:2113`).join()}?tls=false`);
    const secrets = { SECRET_KEY: "k".repeat(43), OPERATOR_TOKEN: "t".repeat(43) };
    expect(readSettings({ ...node(name).environment, ...secrets }).eventStoreUrl).toBe(EVENT_STORE_URL);
  });
});

describe("docker/kurrentdb.yaml", () => {
  // Compose's own tags are nothing to this parser.
  const file = parse(fs.readFileSync(path.join(ROOT, "docker/kurrentdb.yaml"), "utf8"), { logLevel: "silent" });
  const { environment: ofEventStore, cap_drop, security_opt } = readComposeFile().services.eventstore as Container;

  test("sets what docker-compose.yml sets for EventStoreDB, by KurrentDB's names, and has no secondary indexes", () => {
    const { EVENTSTORE_ENABLE_ATOM_PUB_OVER_HTTP: _offByDefault, ...settings } = ofEventStore;
    const renamed = Object.entries(settings).map(([name, value]) => [
      name.replace(/^EVENTSTORE_/, "KURRENTDB_"),
      value,
    ]);
    expect(file.services.eventstore.environment).toStrictEqual({
      ...Object.fromEntries(renamed),
      KURRENTDB__SECONDARY_INDEXING__ENABLED: "false",
    });
  });

  test("gives the log to KurrentDB's user before each start, and that container can do nothing else", () => {
    const { services } = file;
    expect(services.eventstore.depends_on).toStrictEqual({
      "log-owner": { condition: "service_completed_successfully" },
    });
    expect(services["log-owner"]).toMatchObject({
      image: services.eventstore.image,
      entrypoint: ["chown", "--recursive", "1001:1001", "/var/lib/kurrentdb"],
      volumes: services.eventstore.volumes,
      network_mode: "none",
      read_only: true,
      cap_drop,
      security_opt,
      cap_add: ["CHOWN", "DAC_READ_SEARCH"],
    });
  });
});
