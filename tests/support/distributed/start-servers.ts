import { isUnavailable, startEventStore, startMongo, startRedis, type Unavailable } from "../../engines/start.ts";
import { type Servers, serversAt } from "./servers.ts";

interface Stoppable {
  readonly url: string;
  stop(): Promise<void>;
}

/** Fresh servers for one installation. @throws Error one of them can't be had. */
export async function startServers(): Promise<Servers & { stop(): Promise<void> }> {
  const [eventStore, mongo, redis] = await Promise.all([
    started(startEventStore()),
    started(startMongo()),
    started(startRedis()),
  ]);
  return {
    ...serversAt({ eventStore, mongo, redis }),
    stop: async () => void (await Promise.all([eventStore, mongo, redis].map((engine) => engine.stop()))),
  };
}

async function started<Engine extends Stoppable>(starting: Promise<Engine | Unavailable>): Promise<Engine> {
  const engine = await starting;
  if (isUnavailable(engine)) throw new Error(engine.unavailable);
  return engine;
}
