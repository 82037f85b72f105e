import type { RunningServer } from "@travel-booking/http";
import { createOperatorApp, type OperatorAppOptions } from "@travel-booking/http/operator";
import type { Logger, Settings } from "@travel-booking/runtime";
import { listen } from "./listen.ts";
import { unavailableReason } from "./unavailable-response.ts";

export interface OperatorServerOptions extends Pick<OperatorAppOptions, "token" | "routes"> {
  readonly settings: Pick<Settings, "operatorHost" | "operatorPort">;
  readonly logger: Logger;
}

/** The operator interface, at `OPERATOR_HOST` and `OPERATOR_PORT`. @throws StartUpFault names the one in the way. */
export function listenOperator({ settings, token, routes, logger }: OperatorServerOptions): Promise<RunningServer> {
  const failed = (error: unknown, requestId: string) =>
    logger.error({ err: error, requestId }, "an operator request failed");
  return listen(createOperatorApp({ token, routes, onError: failed, unavailableReason }), {
    host: settings.operatorHost,
    port: settings.operatorPort,
    variables: { host: "OPERATOR_HOST", port: "OPERATOR_PORT" },
  });
}
