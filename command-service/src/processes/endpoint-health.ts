import { backgroundPause } from "@travel-booking/runtime/real-time";
import { DeliveryStore } from "@travel-booking/webhooks/deliveries";
import { systemContext } from "../command-handling/command.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { webhookEndpointsStream } from "../streams.ts";
import { OncePerReason } from "./scheduler.ts";

/** Real time. */
const INTERVAL_MS = 5_000;

interface EndpointHealthOptions extends Pick<OperatorServices, "handler" | "ids" | "logger"> {
  readonly stored: Pick<DeliveryStore, "endpoints" | "failing">;
}

/**
 * Records which endpoints fail and which have recovered, each in the stream of its account, so that others are told.
 * What is recorded is logged, once: one that fails by turns many times a second would crowd all else out.
 */
export async function recordEndpointHealth({ handler, ids, stored, logger }: EndpointHealthOptions): Promise<void> {
  for await (const failing of stored.failing.all()) {
    const { endpointId, accountId, isRecorded } = failing;
    const { health } = await stored.endpoints.get(endpointId);
    const isFailing = health.status !== "active";
    if (isFailing && isRecorded) continue;
    const outcome = await handler.execute({
      ...webhookEndpointsStream(accountId),
      command: { type: "RecordEndpointHealth", endpointId, health },
      context: systemContext({ ids }),
      reply: (endpoints) => endpoints.get(endpointId) ?? null,
    });
    const endpoint = outcome.accepted ? outcome.reply : null;
    if (!isFailing || endpoint === null) {
      await stored.failing.remove(failing);
      if (isRecorded && endpoint !== null) logger.info({ endpointId }, "a webhook endpoint works again");
    } else if (endpoint.isFailing === true) {
      await stored.failing.markRecorded(failing);
      logger.warn({ endpointId, reason: health.reason }, "a webhook endpoint begins to fail");
    }
  }
}

/** Records it every few seconds, until the signal aborts. @param mayBegin false: nothing may be written now. */
export async function watchEndpointHealth(
  { handler, ids, state, logger }: Pick<OperatorServices, "handler" | "ids" | "state" | "logger">,
  mayBegin: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stored = new DeliveryStore(state);
  const recorded = new OncePerReason((err) =>
    logger.warn({ err }, "the health of webhook endpoints can't be recorded now and will be soon"),
  );
  while (!signal.aborted) {
    if (mayBegin()) await recorded.attempt(() => recordEndpointHealth({ handler, ids, stored, logger }));
    await backgroundPause(INTERVAL_MS, signal);
  }
}
