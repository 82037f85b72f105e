import { type Html, html } from "@travel-booking/http/html";
import type { DocumentAnswer, DocumentRow, RejectedDocumentRow } from "@travel-booking/read-models";
import { choice, field, form } from "../forms.ts";
import { andMore, FIRST_ROWS, facts, link, pathOf, section, sectionOf, status, table, time } from "../parts.ts";
import type { Action, File, Screen, Visit } from "../screen.ts";

const QUEUE = `/operator/documents?${FIRST_ROWS}`;
const KINDS = ["passport", "visa", "identity_card"];

export const documentScreens: readonly Screen[] = [
  {
    path: "/documents",
    title: "Documents",
    view: async ({ api }) =>
      html`${await sectionOf("To review, oldest first", async () => queue(await api.list(QUEUE)))}
${await sectionOf("Rejected, latest first", async () => rejected(await api.list("/operator/documents/rejected")))}`,
  },
  {
    path: "/documents/:id",
    title: "Document",
    async view(visit) {
      const document = await visit.api.get<DocumentAnswer>(`/operator/documents${pathOf(visit.params.id ?? "")}`);
      return html`<div class="beside">${section("The document", picture(document), false)}
<div>${section("What was read, and what the booking says", comparison(document))}
${section("Decide", decisions(visit, document), false)}
${await sectionOf("Next", async () => next(document, await visit.api.list(QUEUE)))}</div></div>`;
    },
  },
];

function queue(rows: readonly DocumentRow[]): Html {
  return html`${table(
    ["uploaded", "document", "type", "kind", "waits for", "booking"],
    rows.map(({ id, fileName, contentType, kind, awaits, uploadedAt, bookingId }) => [
      time(uploadedAt),
      link(pathOf("documents", id), fileName),
      contentType,
      kind,
      status(awaits),
      link(pathOf("bookings", bookingId), bookingId),
    ]),
    "Nothing waits for a decision.",
  )}${andMore(rows)}`;
}

/** Rejected documents. One that was rejected by mistake can be verified. */
function rejected(rows: readonly RejectedDocumentRow[]): Html {
  return table(
    ["uploaded", "document", "kind", "why", "booking"],
    rows.map(({ id, fileName, kind, rejectionReason, uploadedAt, bookingId }) => [
      time(uploadedAt),
      link(pathOf("documents", id), fileName),
      kind,
      rejectionReason,
      link(pathOf("bookings", bookingId), bookingId),
    ]),
    "No document was rejected.",
  );
}

/** A picture that the service has drawn, because files may be hostile. */
function picture({ id, fileName }: DocumentAnswer): Html {
  const path = pathOf("documents", id, "picture");
  return html`<p><a href="${path}" data-key="o" title="key o">${fileName}, larger</a></p>
<img class="scan" src="${path}" alt="The pages of the document. Where none is seen, they can't be drawn: npx tbs document download --original writes the file, which may be hostile.">`;
}

export const documentFiles: readonly File[] = [
  {
    path: "/documents/:id/picture",
    type: "image/jpeg",
    async *content({ api, params: { id = "" } }) {
      const path = `/operator/documents${pathOf(id)}/picture`;
      for await (const { base64 = "" } of api.lines<{ base64?: string }>("GET", path))
        yield Buffer.from(base64, "base64");
    },
  },
];

function comparison(document: DocumentAnswer): Html {
  const {
    bookingId,
    kind,
    status: word,
    awaits,
    read,
    passengers,
    departsAt,
    mustBeValidUntil,
    rejectionReason,
    holders,
    decided,
  } = document;
  const nothing = "nothing for certain";
  return facts({
    status: html`${status(word)} ${awaits === null ? undefined : `waits for the ${awaits}`} ${rejectionReason ?? undefined}`,
    ...(decided !== null && {
      "decided by": html`${decided.by.kind === "system" ? "the reader" : decided.by.id} ${time(decided.at)}`,
    }),
    ...(holders.length > 0 && { "document of": holders.join(", ") }),
    kind,
    "name that was read": read?.name ?? nothing,
    "names on the booking": html`${passengers.map((name) => html`${name}<br>`)}`,
    "valid until, as read": read === null ? nothing : (read.expiresOn ?? "no date"),
    "has to be valid until": mustBeValidUntil,
    departs: time(departsAt),
    booking: link(pathOf("bookings", bookingId), bookingId),
  });
}

/** An operator may overrule an earlier decision, and says what the document is, and whose. */
function decisions(visit: Visit, { id, passengers }: DocumentAnswer): Html {
  const path = pathOf("documents", id);
  // Nothing is chosen at first, so that no key press alone makes a passport of a blank page.
  const chosen = html`required`;
  const names = Object.fromEntries(passengers.map((name, index) => [String(index), name]));
  const whose = choice("whose", "passenger", ["", ...Object.keys(names)], "", { "": "choose", ...names }, chosen);
  const kinds = choice("kind", "kind", ["", ...KINDS], "", { "": "choose" }, chosen);
  const reason = field("reason, for its owner", "reason", html`required maxlength="500" data-key="r" title="key r"`);
  return html`<div class="actions">${form(visit, `${path}/verify`, "Verify", [kinds, whose], { key: "v", look: "primary" })}
${form(visit, `${path}/reject`, "Reject", [reason])}</div>`;
}

function next(document: DocumentAnswer, rows: readonly DocumentRow[]): Html {
  const other = rows.find(({ id, awaits }) => id !== document.id && awaits === "operator");
  if (other === undefined) return html`<p class="none">No other document waits for a decision.</p>`;
  return html`<p><a href="${pathOf("documents", other.id)}" data-key="n" title="key n">${other.fileName}</a></p>`;
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
