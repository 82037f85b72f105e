import { build } from "../go/build.ts";
import { goProgram, goProgramMissingReason } from "../go/go-program.ts";
import { freePort } from "../processes/free-port.ts";
import { newFolder } from "../processes/new-folder.ts";
import { ServerProcess } from "../processes/server-process.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { engineStarter } from "../providers/engine-starter.ts";

const STRIPE_MOCK = goProgram("stripe-mock");

/** Stripe's own mock: it checks requests by the schema of Stripe's API, and answers with samples, whatever was asked. */
export interface StripeMock {
  readonly url: string;
  stop(): Promise<void>;
}

const stripeMockProcess: EngineProvider<StripeMock, object> = {
  name: "stripe-mock",
  missingReason: () => goProgramMissingReason(STRIPE_MOCK),
  async prepare() {
    await build(STRIPE_MOCK);
  },
  async start() {
    const command = await build(STRIPE_MOCK);
    const address = `127.0.0.1:${await freePort()}`;
    const server = await ServerProcess.start({
      command,
      args: [`-listen=${address}`],
      folder: newFolder("stripe-mock"),
      ready: /^listening on /m,
    });
    return { url: `http://${address}`, stop: () => server.stop() };
  },
};

export const startStripeMock = engineStarter<StripeMock, object>("stripe-mock", [stripeMockProcess]);
