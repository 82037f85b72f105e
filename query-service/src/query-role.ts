import { Cursors } from "@travel-booking/http";
import { deriveKeys, TextSigner } from "@travel-booking/runtime";
import type { ApiCore, Part, ServiceContext } from "@travel-booking/service-host";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import type { QueryDependencies } from "./dependencies.ts";
import { EventNotifier } from "./event-notifier.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";
import { openPrinter } from "./printer.ts";
import { queryRoutes } from "./routes.ts";

interface QueryRoleOptions extends Pick<QueryDependencies["boardingPasses"], "assignSeats"> {
  /** Answers one for the browser that draws boarding passes (`openPrinter`). */
  readonly browserFolder: () => string;
}

/** Everything that reads, from read models alone. */
export function queryRole(host: ServiceContext, core: ApiCore, { assignSeats, browserFolder }: QueryRoleOptions): Part {
  const { state, metrics, positions } = core;
  const { trustedKey } = core.secretKeys;
  const eventNotifier = new EventNotifier(core);
  metrics.gauge("event_waits", "Requests that wait for an event.", () => eventNotifier.waiting);
  const openApi = openApiRoutes(host.settings.rateLimitPerMinute > 0);
  const routes = queryRoutes({
    ...core,
    cursors: new Cursors(deriveKeys(trustedKey, "cursors")),
    eventNotifier,
    testEvents: state,
    deliveries: new EndpointDeliveries({ store: state }),
    boardingPasses: {
      assignSeats,
      positions,
      signer: new TextSigner(deriveKeys(trustedKey, "boarding-passes")),
      printer: openPrinter({ ...host, folder: browserFolder }),
    },
  });
  return {
    routes: [...routes, ...openApi.routes],
    plainRoutes: openApi.pages,
    endWaits: () => eventNotifier.stop(),
  };
}
