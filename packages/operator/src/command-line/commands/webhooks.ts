import { type Command, Option } from "commander";
import { irreversible, pathPart } from "../arguments.ts";
import { addList, earliest, isWanted, type Moment, moment, timeOf } from "../filters.ts";
import type { OperatorSession } from "../session.ts";

const ENDPOINTS = "/operator/webhook-endpoints";
const DELIVERIES = "/operator/webhook-deliveries";

interface DeliveryFilters {
  readonly endpoint?: string;
  readonly booking?: string;
  readonly status?: string;
  readonly exhausted?: true;
}

function deliveriesPath({ endpoint, booking, status, exhausted }: DeliveryFilters): string {
  const path = endpoint === undefined ? DELIVERIES : `${ENDPOINTS}/${endpoint}/deliveries`;
  const wanted = exhausted === true ? "exhausted" : status;
  const query = new URLSearchParams({ ...(wanted && { status: wanted }), ...(booking && { bookingId: booking }) });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** `webhook`, `delivery` */
export function addWebhookCommands(program: Command, session: OperatorSession): void {
  const webhook = program.command("webhook").description("webhook endpoints and deliveries");
  addList(webhook, session, {
    name: "endpoints",
    description: "where events are delivered, and how deliveries stand",
    path: ENDPOINTS,
    filters: ["status", "account", "since"],
  });
  addDeliveries(webhook, session, "deliveries");
  irreversible(webhook.command("replay"), session, (command) => decodeURIComponent(command.opts().endpoint))
    .description("deliver the events since a moment once more")
    .requiredOption("--endpoint <ID>", "where to", pathPart)
    .requiredOption("--since <T>", "such as 2026-11-21T12:00:00Z or 2h", moment)
    .action(async ({ endpoint, since }: { endpoint: string; since: Moment }) =>
      session.show("POST", `${ENDPOINTS}/${endpoint}/replay`, { since: await timeOf(session, since) }),
    );
  webhook
    .command("replay-exhausted")
    .description("deliver everything that is exhausted at an endpoint once more")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `${ENDPOINTS}/${id}/replay-exhausted`));
  webhook
    .command("resume")
    .description("deliver to a failing or paused endpoint at once, what is exhausted since then included")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `${ENDPOINTS}/${id}/resume`));
  webhook
    .command("resend")
    .description("deliver the event of an attempt once more; one that waits for its retry is sent at once")
    .argument("<DELIVERY>", "", pathPart)
    .action((id: string) => session.show("POST", `${DELIVERIES}/${id}/resend`));
  irreversible(webhook.command("rotate-secret"), session)
    .description("replace the signing secret; the new one is shown this once, and both sign for 24 hours")
    .argument("<ID>", "of the endpoint", pathPart)
    .option("--expire-previous-now", "the old secret stops signing at once")
    .action((id: string, { expirePreviousNow = false }: { expirePreviousNow?: boolean }) =>
      session.show("POST", `${ENDPOINTS}/${id}/rotate-secret`, { expirePreviousNow }),
    );
  irreversible(webhook.command("delete"), session)
    .description("delete an endpoint for good, with what it is owed and its attempts")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("DELETE", `${ENDPOINTS}/${id}`));

  const delivery = program.command("delivery").description("attempts to deliver events");
  addDeliveries(delivery, session, "list");
  delivery
    .command("show")
    .description("an attempt with what was sent, and the beginning of what the receiver said")
    .argument("<DELIVERY>", "", pathPart)
    .action((id: string) => session.show("GET", `${DELIVERIES}/${id}`));
}

function addDeliveries(parent: Command, session: OperatorSession, name: string): void {
  parent
    .command(name)
    .description("the latest attempts to deliver, newest first (attempt 0: a probe of a paused endpoint)")
    .option("--endpoint <ID>", "to this endpoint alone", pathPart)
    .option("--booking <ID>", "about this booking alone")
    .addOption(new Option("--status <STATUS>").choices(["succeeded", "failed", "exhausted"]))
    .option("--exhausted", "those that were the last")
    .option("--since <T>", "those from then on, such as 2026-11-21T12:00:00Z or 2h", moment)
    .action(async ({ since: from, ...filters }: DeliveryFilters & { since?: Moment }) => {
      const since = await earliest(session, from);
      return session.list("GET", deliveriesPath(filters), undefined, (row) => isWanted(row, {}, since));
    });
}
