import { build } from "../go/build.ts";
import { goProgram, goProgramMissingReason } from "../go/go-program.ts";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { engineStarter } from "../providers/engine-starter.ts";
import { type ToxiproxyEngine, toxiproxyEngine } from "./engine.ts";

const TOXIPROXY = goProgram("toxiproxy");

const toxiproxyProcess: EngineProvider<ToxiproxyEngine, object> = {
  name: "Toxiproxy",
  missingReason: () => goProgramMissingReason(TOXIPROXY),
  async prepare() {
    await build(TOXIPROXY);
  },
  async start() {
    const command = await build(TOXIPROXY);
    const address = `127.0.0.1:${await freePort()}`;
    const server = await ServerProcess.start({
      command,
      args: [`-listen=${address}`],
      folder: newFolder("toxiproxy"),
      ready: /^listening on /m,
    });
    return toxiproxyEngine(`http://${address}`, () => server.stop());
  },
};

/** A Toxiproxy without proxies. */
export const startToxiproxy = engineStarter<ToxiproxyEngine, object>("toxiproxy", [toxiproxyProcess]);
