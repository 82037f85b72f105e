import { everythingWritten } from "./distributed/everything-written.ts";
import { Installation } from "./distributed/installation.ts";
import { startServers } from "./distributed/start-servers.ts";
import type { IssuedKey, OperatorAnswer } from "./operator-caller.ts";
import { Service } from "./service.ts";

/** What the end-to-end suite runs against: one process, or the four services on servers. */
export interface TestedService {
  readonly baseUrl: string;
  /** What was measured where commands are worked on. */
  readonly metricsUrl: string;
  /** What was logged. */
  readonly stderr: string;
  operator(method: string, path: string, body?: unknown): Promise<OperatorAnswer>;
  newApiKey(scopes?: readonly string[]): Promise<IssuedKey>;
  /** Everything it has written down where it is kept, as text. */
  written(): Promise<string>;
  /** Stops it and forgets its data. */
  discard(): Promise<void>;
}

/** Starts the profile this run is about: `TEST_PROFILE`, embedded unless it says `distributed`. */
export function startTestedService(env: Readonly<Record<string, string>>): Promise<TestedService> {
  return process.env.TEST_PROFILE === "distributed" ? startDistributed(env) : Service.start({ env });
}

async function startDistributed(env: Readonly<Record<string, string>>): Promise<TestedService> {
  const servers = await startServers();
  try {
    const installation = await Installation.start({ servers, env });
    return {
      baseUrl: installation.baseUrl,
      metricsUrl: `${installation.of("command-service")[0]?.url}/metrics`,
      get stderr() {
        return installation.stderr;
      },
      operator: (method, path, body) => installation.operator(method, path, body),
      newApiKey: (scopes) => installation.newApiKey(scopes),
      written: () => everythingWritten(servers),
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
