import fs from "node:fs";
import path from "node:path";
import { freePort } from "../../engines/processes/free-port.ts";
import { newFolder } from "../../engines/processes/new-folder.ts";
import { ServerProcess } from "../../engines/processes/server-process.ts";
import { type ProxyFailure, readFailures } from "./failures.ts";
import { findNginx } from "./find-nginx.ts";
import { proxyConfiguration } from "./proxy-configuration.ts";
import { type Upstreams, upstreamVariables } from "./upstreams.ts";

export interface ProxyOptions {
  /** Seconds it waits for an answer, where a test can't wait as long as it does. */
  readonly longestAnswer?: number;
  readonly corsOrigins?: string | undefined;
  /** Makes what its server includes besides: `*.conf` files in this folder. */
  readonly prepare?: (folder: string) => Promise<void>;
}

export interface ReverseProxy {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The same for the operator interface. */
  readonly operatorUrl: string;
  /** What it has logged of failed requests so far. */
  failures(): readonly ProxyFailure[];
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** What nginx says once it listens. */
const LISTENING = /getrlimit\(RLIMIT_NOFILE\)/;
const ATTEMPTS = 5;

/**
 * The reverse proxy of the distributed profile, with its own configuration, before services on 127.0.0.1.
 * @throws Error there is no nginx here (see `proxyMissing`), or it did not start, with what it wrote.
 */
export async function startProxy(upstreams: Upstreams, options: ProxyOptions = {}): Promise<ReverseProxy> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(upstreams, options);
    } catch (failure) {
      // Somebody was faster to take a port.
      if (attempt === ATTEMPTS || !String(failure).includes("Address already in use")) throw failure;
    }
  }
}

/** Why there can be no proxy here. Undefined: there can. */
export function proxyMissing(): string | undefined {
  return findNginx() === undefined ? "nginx is not installed" : undefined;
}

async function start(
  upstreams: Upstreams,
  { longestAnswer = 45, corsOrigins = "", prepare }: ProxyOptions,
): Promise<ReverseProxy> {
  const nginx = findNginx();
  if (nginx === undefined) throw new Error("nginx is not installed");
  const folder = newFolder("nginx");
  const file = (name: string) => path.join(folder, name);
  fs.mkdirSync(file("tls"));
  await prepare?.(file("tls"));
  const api = `127.0.0.1:${await freePort()}`;
  const operator = `127.0.0.1:${await freePort()}`;
  const configuration = proxyConfiguration({
    ...upstreamVariables(upstreams),
    PROXY_LISTEN: api,
    PROXY_OPERATOR_LISTEN: operator,
    PROXY_FOLDER: folder,
    PROXY_TLS_FOLDER: file("tls"),
    // At this level it says when it listens.
    PROXY_LOG_LEVEL: "notice",
    PROXY_REQUEST_LOG: file("failures.log"),
    PROXY_CORS_ORIGINS: corsOrigins,
    PROXY_RESOLVER: "",
    PROXY_LONGEST_ANSWER: `${longestAnswer}s`,
  });
  fs.writeFileSync(file("nginx.conf"), configuration);
  const server = await ServerProcess.start({
    command: nginx,
    // One process: to kill it is to end the whole of it.
    args: ["-p", folder, "-e", "stderr", "-c", file("nginx.conf"), "-g", "daemon off; master_process off;"],
    folder,
    ready: LISTENING,
  });
  return {
    url: `http://${api}`,
    operatorUrl: `http://${operator}`,
    failures: () => readFailures(file("failures.log")),
    stop: () => server.stop(),
  };
}
