import type { TestEngine } from "../engine.ts";
import { findCommand } from "../processes/find-command.ts";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { type RedisOptions, redisSettings } from "./options.ts";

const PROGRAM = "redis-server";

export const redisProcess: EngineProvider<TestEngine, RedisOptions> = {
  name: "redis-server of this machine",
  missingReason: () => (findCommand(PROGRAM) === undefined ? "redis-server is not installed" : undefined),
  async start(options) {
    const port = await freePort();
    const folder = newFolder("redis");
    const server = await ServerProcess.start({
      command: PROGRAM,
      args: ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...redisSettings(options)],
      folder,
      ready: /Ready to accept connections/,
    });
    return {
      url: `redis://127.0.0.1:${port}`,
      stop: () => server.stop(),
      kill: () => server.kill(),
      restart: () => server.restart(),
    };
  },
};
