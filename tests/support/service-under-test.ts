import type { IssuedKey, OperatorClientResponse } from "./operator-caller.ts";
import { Service } from "./service.ts";

/** What the end-to-end suite runs against: one process, or the four services on servers. */
export interface ServiceUnderTest {
  readonly baseUrl: string;
  /** What was measured where commands are worked on. */
  readonly metricsUrl: string;
  /** What was logged. */
  readonly stderr: string;
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse>;
  newApiKey(scopes?: readonly string[]): Promise<IssuedKey>;
  /** Everything it has written down where it is kept, as text. */
  dumpStorage(): Promise<string>;
  /** Stops it and forgets its data. */
  discard(): Promise<void>;
}

/** Starts the profile this run is about: `TEST_PROFILE`, embedded unless it says `distributed`. */
export function startServiceUnderTest(env: Readonly<Record<string, string>>): Promise<ServiceUnderTest> {
  return process.env.TEST_PROFILE === "distributed" ? startDistributed(env) : Service.start({ env });
}

async function startDistributed(env: Readonly<Record<string, string>>): Promise<ServiceUnderTest> {
  // Client libraries of servers, loaded only where there are servers.
  const { dumpServers } = await import("./distributed/dump-servers.ts");
  const { Installation } = await import("./distributed/installation.ts");
  const { startServers } = await import("./distributed/start-servers.ts");
  const servers = await startServers();
  try {
    const installation = await Installation.start({ servers, env });
    return {
      baseUrl: installation.baseUrl,
      metricsUrl: `${installation.of("command-service")[0]?.operatorUrl}/metrics`,
      get stderr() {
        return installation.stderr;
      },
      operator: (method, path, body) => installation.operator(method, path, body),
      newApiKey: (scopes) => installation.newApiKey(scopes),
      dumpStorage: () => dumpServers(servers),
      async discard() {
        await installation.discard();
        await servers.stop();
      },
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
