import type { ServerRequirements } from "../../engines/providers/environment-server.ts";
import {
  isUnavailable,
  startEventStore,
  startMongo,
  startRedis,
  type TestEngine,
  type Unavailable,
} from "../../engines/start.ts";
import { ELECTIONS, holdElections } from "./elections.ts";
import { type Servers, serversAt } from "./servers.ts";

export interface StartedServers extends Servers {
  readonly engines: Readonly<Record<"eventStore" | "mongo" | "redis", TestEngine>>;
  stop(): Promise<void>;
}

/** Fresh servers for one installation. @throws Error one of them can't be had. */
export async function startServers(requirements: ServerRequirements = {}): Promise<StartedServers> {
  const [eventStore, mongo, redis] = await Promise.all([
    started(startEventStore(requirements)),
    started(startMongo(requirements)),
    started(startRedis(requirements)),
  ]);
  const stopping = new AbortController();
  if (ELECTIONS) holdElections(eventStore, stopping.signal);
  return {
    ...serversAt({ eventStore, mongo, redis }),
    engines: { eventStore, mongo, redis },
    async stop() {
      stopping.abort();
      await Promise.all([eventStore, mongo, redis].map((engine) => engine.stop()));
    },
  };
}

async function started<Engine extends TestEngine>(starting: Promise<Engine | Unavailable>): Promise<Engine> {
  const engine = await starting;
  if (isUnavailable(engine)) throw new Error(engine.unavailable);
  return engine;
}
