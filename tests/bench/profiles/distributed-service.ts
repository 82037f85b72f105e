import { OperatorClient } from "@travel-booking/operator/client";
import { Installation, OPERATOR_TOKEN } from "../../support/distributed/installation.ts";
import { startServers } from "../../support/distributed/start-servers.ts";
import { BENCH_SETTINGS, type BenchService, caughtUp } from "../service/bench-service.ts";

/** The four services behind the reverse proxy, one of each, on the servers this machine can start. */
export async function startDistributedService(): Promise<BenchService> {
  const servers = await startServers();
  const installation = await Installation.start({
    servers,
    env: { LOG_LEVEL: "warn", ...BENCH_SETTINGS },
  });
  const url = new URL(installation.operatorUrl);
  const operator = new OperatorClient(() => ({ url, token: OPERATOR_TOKEN }));
  return {
    port: Number(new URL(installation.baseUrl).port),
    operator,
    idle: () => caughtUp(operator),
    async stop() {
      await installation.discard();
      await servers.stop();
    },
  };
}
