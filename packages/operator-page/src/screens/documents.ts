import { type Html, html } from "@travel-booking/http/html";
import type { DocumentRow } from "@travel-booking/read-models";
import { choice, field, form, link, pathOf, sectionOf, status, table, time } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";

const KINDS = ["passport", "visa", "identity_card"];

export const documentScreens: readonly Screen[] = [
  {
    path: "/documents",
    title: "Documents",
    view: (visit) =>
      sectionOf("To review, oldest first", async () => queue(await visit.api.list("/operator/documents"))),
  },
];

/** Decided on the page of the booking, which has the names. */
function queue(rows: readonly DocumentRow[]): Html {
  return table(
    ["uploaded", "file", "type", "kind", "waits for", "booking"],
    rows.map(({ fileName, contentType, kind, awaits, uploadedAt, bookingId }) => [
      time(uploadedAt),
      fileName,
      contentType,
      kind,
      status(awaits),
      link(`${pathOf("bookings", bookingId)}#documents`, bookingId),
    ]),
    "Nothing waits for a decision.",
  );
}

/** What an operator decides about a document, besides the names of its booking. */
export function documentDecisions(visit: Visit, id: string, names: readonly string[]): Html {
  const path = pathOf("documents", id);
  const whose = html`<label>whose<select name="passenger">${names.map((name, index) => html`<option value="${index}">${name}</option>`)}</select></label>`;
  return html`<div class="actions">${form(visit, `${path}/verify`, "Verify", html`${choice("kind", "kind", KINDS)}${whose}`)}
${form(visit, `${path}/reject`, "Reject", field("reason, for its owner", "reason", html`required maxlength="500"`))}</div>`;
}

export const documentActions: readonly Action[] = [
  {
    path: "/documents/:id/verify",
    async run({ api, params: { id = "" } }, { kind, passenger }) {
      await api.post(`/operator/documents${pathOf(id)}/verify`, {
        ...(kind && { kind }),
        ...(passenger && { passenger: Number(passenger) }),
      });
      return "The document is verified.";
    },
  },
  {
    path: "/documents/:id/reject",
    async run({ api, params: { id = "" } }, { reason }) {
      await api.post(`/operator/documents${pathOf(id)}/reject`, { reason });
      return "The document is rejected.";
    },
  },
];
