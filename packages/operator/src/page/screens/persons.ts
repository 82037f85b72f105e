import { type Html, html } from "@travel-booking/http/html";
import type { PersonRow } from "@travel-booking/read-models";
import { archivePieces } from "../../archive.ts";
import { danger, field } from "../forms.ts";
import { accountLink, namesOf } from "../names.ts";
import { andMore, FIRST_ROWS, id as idText, link, pathOf, sectionOf, status, table, time } from "../parts.ts";
import type { Action, File, Screen, Visit } from "../screen.ts";

/** Asks for the records of a person. */
export function personForm(email = ""): Html {
  return html`<form class="filters" method="get" action="/persons">${field("e-mail address", "email", html`required type="email" size="32"`, email)}<button>Find the person</button></form>`;
}

/** What is held about a person, over all accounts. */
export const persons: Screen = {
  path: "/persons",
  title: "A person",
  async view(visit) {
    const { email = "" } = visit.query;
    const erasures = async () => forgotten(await visit.api.list<ErasureRow>("/operator/erasures"));
    return html`${personForm(email)}
${email === "" ? undefined : await sectionOf("What is held", () => held(visit, email), false)}
${await sectionOf("Who was forgotten", erasures, false)}`;
  },
};

async function held(visit: Visit, email: string): Promise<Html> {
  const rows = await visit.api.list<PersonRow>(`/operator/persons?email=${encodeURIComponent(email)}&${FIRST_ROWS}`);
  const names = await namesOf(
    visit.api,
    rows.map(({ accountId }) => accountId),
  );
  const what =
    "Wherever the journey is over, nobody can read any longer who this was; what is still to come stays, and is named. Hand over before.";
  return html`${table(
    ["what", "name", "status", "account", "made", "id"],
    rows.map(({ kind, id, passenger, name, status: word, accountId, createdAt }) => [
      passenger === null ? "saved passenger" : link(pathOf("bookings", id), `booking, passenger ${passenger + 1}`),
      name,
      word === null ? "–" : status(word),
      accountLink(names, accountId),
      time(createdAt),
      html`${idText(id)}${kind === "passenger" ? link(`/streams?name=${encodeURIComponent(`passenger-${id}`)}`, " events") : undefined}`,
    ]),
    "Nothing is held about this e-mail address.",
  )}${andMore(rows)}${rows.length === 0 ? undefined : html`<div class="actions">${link(`/persons/export?email=${encodeURIComponent(email)}`, "Hand over: all of it in an archive")}${danger(visit, "/persons/erase", "Forget this person", { name: email, what })}</div>`}`;
}

interface ErasureRow {
  readonly kind: string;
  readonly id: string;
  readonly erasedAt: string | null;
}

/** The most erasures that are shown. */
const MOST_SHOWN = 100;

/** What is not ended first, then the newest. */
function forgotten(rows: readonly ErasureRow[]): Html {
  const endOf = ({ erasedAt }: ErasureRow) => (erasedAt === null ? Number.POSITIVE_INFINITY : Date.parse(erasedAt));
  const shown = rows.toSorted((one, other) => (endOf(one) < endOf(other) ? 1 : -1)).slice(0, MOST_SHOWN);
  const more = html`<p class="hint">The newest ${MOST_SHOWN} of ${rows.length}. All: npx tbs erasures export.</p>`;
  return html`${table(
    ["what", "id", "when"],
    shown.map(({ kind, id, erasedAt }) => [kind, idText(id), erasedAt === null ? "not ended" : time(erasedAt)]),
    "Nobody.",
  )}${rows.length > MOST_SHOWN ? more : undefined}`;
}

export const personFiles: readonly File[] = [
  {
    path: "/persons/export",
    type: "application/x-tar",
    nameOf: () => "person.tar",
    content: ({ api, query: { email = "" } }) =>
      archivePieces(api.lines("GET", `/operator/persons/export?email=${encodeURIComponent(email)}`)),
  },
];

export const personActions: readonly Action[] = [
  {
    path: "/persons/erase",
    isDangerous: true,
    async run({ api }, { named: email }) {
      const { data } = await api.post<{ data: readonly { status: string; id: string; reason: string | null }[] }>(
        "/operator/persons/erase",
        { email },
      );
      const left = data.filter((row) => row.status === "left").map(({ id, reason }) => `${id}: ${reason}`);
      const done = `${data.length - left.length} of ${data.length} records are forgotten.`;
      return [done, ...left].join(" ");
    },
  },
];
