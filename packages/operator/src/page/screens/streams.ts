import { type Html, html } from "@travel-booking/http/html";
import { field } from "../forms.ts";
import { json, link, pathOf, sectionOf, time } from "../parts.ts";
import type { OperatorApi, Screen } from "../screen.ts";

interface StreamEvent {
  readonly revision: number;
  readonly position: string;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
  readonly metadata: {
    readonly actor: { readonly kind: string; readonly id: string };
    readonly requestId: string | null;
    readonly causationId: string | null;
  };
}

const KINDS =
  "booking-bkg_…, flight-…, account-acc_…, passenger-psg_…, loyalty-acc_…, webhookEndpoints-acc_…, destination-…";

/** Any stream of the log, newest first, a page at a time. */
export const streams: Screen = {
  path: "/streams",
  title: "Streams",
  async view({ api, query: { name = "", before, until } }) {
    const ask = html`<form class="filters" method="get">${field("stream", "name", html`required size="44"`, name)}<button>Show</button></form>`;
    if (name === "") return html`${ask}<p class="hint">${KINDS}</p>`;
    return html`${ask}${await sectionOf("Events", () => timeline(api, name, { ...(before && { before }), ...(until && { until }) }))}`;
  },
};

async function timeline(api: OperatorApi, name: string, range: Readonly<Record<string, string>>): Promise<Html> {
  const events: StreamEvent[] = [];
  const path = `/operator/streams${pathOf(name)}?${new URLSearchParams(range)}`;
  for await (const event of api.lines<StreamEvent>("GET", path)) events.unshift(event);
  const first = events.at(-1)?.revision ?? 0;
  const earlier = () => link(`/streams?${new URLSearchParams({ name, before: String(first) })}`, "Earlier events");
  return html`<ol class="timeline">${events.map(
    ({ revision, position, type, at, data, metadata: { actor, requestId, causationId } }) => html`<li>
<p><strong>${type}</strong> ${time(at)} <small>revision ${revision}, position ${position}</small></p>
<p><small>${actor.kind} ${actor.id}${requestId === null ? "" : `, request ${requestId}`}${causationId === null ? "" : `, caused by ${causationId}`}</small></p>
<details><summary>data</summary>${json(data)}</details></li>`,
  )}</ol>${first > 0 ? html`<p>${earlier()}</p>` : undefined}`;
}
