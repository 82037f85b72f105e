import { randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";

/**
 * Below what operating systems hand out by themselves: a server that is started again finds its port free, and a
 * client that keeps trying the port of a dead server never happens to be connected to itself.
 */
const FROM = 20_000;
const TO = 32_000;

/** Whoever was given one may not listen yet. */
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens on, and that this process gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
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
