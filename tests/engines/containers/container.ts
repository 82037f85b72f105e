import type { WaitStrategy } from "testcontainers";
import type { TestEngine } from "../engine.ts";
import { freePort } from "../processes/free-port.ts";

/** Pulling the image included. */
const READY_WITHIN_MS = 5 * 60_000;

/** The same images that `docker-compose.yml` runs, with what they need on some machines: there it says why. */
export const CONTAINERS = {
  redis: { image: "redis:8.10" },
  mongo: { image: "mongo:8.0", environment: { GLIBC_TUNABLES: "glibc.pthread.rseq=1" } },
  eventStore: {
    image: "eventstore/eventstore:24.10",
    platform: "linux/amd64",
    environment: { DOTNET_USE_POLLING_FILE_WATCHER: "1", DOTNET_EnableWriteXorExecute: "0" },
  },
} as const;

export interface ContainerOptions {
  readonly image: string;
  /** Of an image that is not for every machine. */
  readonly platform?: string;
  /** What it listens on inside. */
  readonly port: number;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ready: WaitStrategy;
  /** The url for a host and port. */
  urlOf(address: string): string;
  /** What is left to do after each start. */
  started?(url: string): Promise<void>;
}

/** A container of its own, at a port that stays the same. Testcontainers removes it, also where we crash. */
export async function startContainer(options: ContainerOptions): Promise<TestEngine> {
  const { GenericContainer, getContainerRuntimeClient } = await import("testcontainers");
  const image = new GenericContainer(options.image)
    // A port that Docker chose would be another one after a restart.
    .withExposedPorts({ container: options.port, host: await freePort() })
    .withEnvironment({ ...options.environment })
    .withWaitStrategy(options.ready)
    .withStartupTimeout(READY_WITHIN_MS);
  if (options.platform !== undefined) image.withPlatform(options.platform);
  if (options.command !== undefined) image.withCommand([...options.command]);
  const container = await image.start();
  // Where Docker publishes on this machine that is on IPv4.
  const host = container.getHost().replace(/^localhost$/, "127.0.0.1");
  const url = options.urlOf(`${host}:${container.getMappedPort(options.port)}`);
  let isRunning = true;
  const engine: TestEngine = {
    url,
    async stop() {
      await container.stop({ remove: true, removeVolumes: true });
    },
    async kill() {
      if (!isRunning) return;
      isRunning = false;
      const { container: containers } = await getContainerRuntimeClient();
      const killed = containers.getById(container.getId());
      await killed.kill({ signal: "SIGKILL" });
      await killed.wait();
    },
    async restart() {
      await engine.kill();
      await container.restart();
      isRunning = true;
      await options.started?.(url);
    },
  };
  try {
    await options.started?.(url);
  } catch (failure) {
    await engine.stop();
    throw failure;
  }
  return engine;
}
