import { build } from "../go/build.ts";
import { goProgram, goProgramMissing } from "../go/go-program.ts";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import { starter } from "../ways/starter.ts";
import type { Way } from "../ways/way.ts";
import { type ToxiproxyEngine, toxiproxyEngine } from "./engine.ts";

const TOXIPROXY = goProgram("toxiproxy");

const toxiproxyProcess: Way<ToxiproxyEngine, object> = {
  name: "Toxiproxy",
  missing: () => goProgramMissing(TOXIPROXY),
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
export const startToxiproxy = starter<ToxiproxyEngine, object>("toxiproxy", [toxiproxyProcess]);
