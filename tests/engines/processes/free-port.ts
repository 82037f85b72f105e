import { randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";

/**
 * Below what operating systems hand out by themselves: a server that is started again finds its port free, and a
 * client that keeps trying the port of a dead server never happens to be connected to itself.
 */
const LOWEST = 20_000;
/** Workers of one Jest run never try for the same port. */
const PORTS_OF_A_WORKER = 1_500;
const WORKERS = 8;
const worker = (Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS;
const FROM = LOWEST + worker * PORTS_OF_A_WORKER;

/** Whoever was given one may not listen yet. */
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens on, and that this process gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, FROM + PORTS_OF_A_WORKER);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}
