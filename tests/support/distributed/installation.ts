import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ReverseProxy, startProxy } from "../../deployment/kit/proxy.ts";
import { freePort } from "../../engines/processes/free-port.ts";
import { type IssuedKey, OperatorCaller, type OperatorClientResponse } from "../operator-caller.ts";
import type { Servers } from "./servers.ts";
import { type ServiceName, ServiceProcess } from "./service-process.ts";

export interface InstallationOptions {
  readonly servers: Servers;
  /** How many of each; one unless told. */
  readonly instances?: Partial<Readonly<Record<ServiceName, number>>>;
  readonly env?: Readonly<Record<string, string>>;
}

export const OPERATOR_TOKEN = "operator-token-of-a-test-installation";
const SECRET_KEY = "secret-key-of-a-test-installation-of-services";
const NAMES: readonly ServiceName[] = ["command-service", "query-service", "projector", "webhook-dispatcher"];

/** The four services as separate processes behind the reverse proxy, on servers they share. */
export class Installation {
  readonly baseUrl: string;
  /** Of the first command-service. */
  readonly operatorUrl: string;
  /** The operator's page, and the operator interface of all services. */
  readonly pageUrl: string;
  readonly services: readonly ServiceProcess[];
  readonly #operator: OperatorCaller;
  readonly #proxy: Pick<ReverseProxy, "stop">;
  readonly #dataDir: string;

  private constructor(
    baseUrl: string,
    services: readonly ServiceProcess[],
    operatorUrl: string,
    proxy: Pick<ReverseProxy, "stop" | "operatorUrl">,
    dataDir: string,
  ) {
    this.baseUrl = baseUrl;
    this.operatorUrl = operatorUrl;
    this.pageUrl = proxy.operatorUrl;
    this.services = services;
    this.#operator = new OperatorCaller(
      () => operatorUrl,
      () => OPERATOR_TOKEN,
    );
    this.#proxy = proxy;
    this.#dataDir = dataDir;
  }

  /** Starts everything and waits until it is ready. */
  static async start({ servers, instances = {}, env = {} }: InstallationOptions): Promise<Installation> {
    const dataDir = mkdtempSync(join(tmpdir(), "travel-booking-services-"));
    const kinds = NAMES.flatMap((name) => Array.from({ length: instances[name] ?? 1 }, () => name));
    const ports: number[] = [];
    while (ports.length < 2 * kinds.length) ports.push(await freePort());
    const at = (name: ServiceName, first = 0) =>
      kinds.flatMap((kind, index) => (kind === name ? [`http://127.0.0.1:${ports[first + index]}`] : []));
    const operatorsOf = (name: ServiceName) => at(name, kinds.length);
    const upstreams = {
      command: at("command-service"),
      query: at("query-service"),
      dispatcher: at("webhook-dispatcher"),
      operator: { command: operatorsOf("command-service"), dispatcher: operatorsOf("webhook-dispatcher") },
    };
    const proxy = await startProxy(upstreams, { corsOrigins: env.CORS_ORIGINS });
    const shared = {
      EVENT_STORE_URL: servers.eventStoreUrl,
      MONGODB_URL: servers.mongodbUrl,
      REDIS_URL: servers.redisUrl,
      SECRET_KEY,
      OPERATOR_TOKEN,
      OPERATOR_URL: proxy.operatorUrl,
      DATA_DIR: dataDir,
      COMMAND_SERVICE_URL: at("command-service")[0] ?? "",
      TRUSTED_PROXIES: "127.0.0.1",
      ...env,
    };
    const services = kinds.map((name, index) =>
      ServiceProcess.spawn({
        name,
        port: ports[index] as number,
        operatorPort: ports[kinds.length + index] as number,
        env: shared,
      }),
    );
    const operatorUrl = operatorsOf("command-service")[0] ?? "";
    const installation = new Installation(proxy.url, services, operatorUrl, proxy, dataDir);
    try {
      await Promise.all(services.map((service) => service.ready()));
    } catch (error) {
      await installation.discard();
      throw error;
    }
    return installation;
  }

  /** All instances of one service. */
  of(name: ServiceName): readonly ServiceProcess[] {
    return this.services.filter((service) => service.name === name);
  }

  /** What tells the operator's command line where the first command-service is. */
  get operatorEnvironment() {
    return { OPERATOR_URL: this.operatorUrl, OPERATOR_TOKEN };
  }

  /** What all of them have logged. */
  get stderr(): string {
    return this.services.map(({ stderr }) => stderr).join("");
  }

  /** A call of the operator interface of the first command-service; answers the parsed body. */
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse> {
    return this.#operator.call(method, path, body);
  }

  /** A new account with one API key of all scopes, or of those named. */
  newApiKey(scopes?: readonly string[]): Promise<IssuedKey> {
    return this.#operator.newApiKey(scopes);
  }

  /** Ends all of it; the servers are their owner's. */
  async discard(): Promise<void> {
    await this.#proxy.stop();
    await Promise.all(this.services.map((service) => service.kill()));
    // A browser it has started may be writing its last.
    rmSync(this.#dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
