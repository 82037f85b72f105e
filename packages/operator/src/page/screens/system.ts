import { setTimeout as pause } from "node:timers/promises";
import { type Html, html, type Part } from "@travel-booking/http/html";
import type { KeptRow } from "@travel-booking/read-models";
import { field, form, hidden } from "../forms.ts";
import { jsonFile, jsonIn } from "../json-form.ts";
import { facts, link, megabytes, pathOf, section, sectionOf, table, time } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";

export const system: Screen = {
  path: "/system",
  title: "System",
  view: async (
    visit,
  ) => html`${await sectionOf("Clock", () => clock(visit))}${await sectionOf("Backup", () => backup(visit))}
${section("Catalogue", catalogueForm(visit, "/catalogue/preview", "Show what it would change"), false)}
${await sectionOf("Kept of people", async () => kept(await visit.api.list<KeptRow>("/operator/privacy")))}
${await sectionOf("Settings", async () => settings(await visit.api.get<Record<string, string>>("/operator/settings")))}`,
  async version({ api, begun: { backupEnd } }) {
    // Distributed, there is none.
    const asked = await api.get<Underway>("/operator/backup").catch((error: Error) => error.message);
    return JSON.stringify([asked, backupEnd]);
  },
};

const KEPT: Readonly<Record<KeptRow["kind"], string>> = {
  bookings: "bookings that are over, not forgotten as a whole",
  documents: "documents of bookings that are over",
  passengers: "saved passengers, deleted ones included",
};

function kept(rows: readonly KeptRow[]): Html {
  const held = rows.map(({ kind, held: number, oldest, keptForDays, from }) => [
    KEPT[kind],
    number,
    time(oldest),
    keptForDays === null ? "nobody is, unless you do it" : `after ${keptForDays} days`,
    time(from),
  ]);
  const due = rows.flatMap(({ kind, next }) =>
    next.map(({ id, since, due: at, waits }) => [
      kind,
      kind === "passengers"
        ? link(`/streams?name=${encodeURIComponent(`passenger-${id}`)}`, id)
        : link(pathOf("bookings", id), id),
      time(since),
      waits ? "waits for money or a disruption" : time(at),
    ]),
  );
  return html`${table(["what", "held", "since", "erased", "not before"], held)}${due.length === 0 ? undefined : html`<h3>Next</h3>${table(["of", "id", "since", "is erased"], due)}`}`;
}

function settings(values: Readonly<Record<string, string>>): Html {
  return table(
    ["setting", "value"],
    Object.entries(values).map(([name, value]) => [name, value === "" ? "–" : value]),
  );
}

async function clock(visit: Visit): Promise<Html> {
  const { now, offsetSeconds } = await visit.api.get<{ now: string; offsetSeconds: number }>("/operator/clock");
  const advance = form(visit, "/clock", "Move it forward", [
    field("seconds", "seconds", html`required inputmode="numeric" pattern="[1-9][0-9]*"`),
  ]);
  return html`${facts({ "service's time": time(now), "ahead by": `${offsetSeconds} s` })}<div class="actions">${advance}</div><p class="hint">Only with SANDBOX_CLOCK=true; it never goes back.</p>`;
}

interface Underway {
  readonly underway: { readonly path: string; readonly bytes: number; readonly of: number } | null;
}

async function backup(visit: Visit): Promise<Part> {
  const { underway } = await visit.api.get<Underway>("/operator/backup");
  if (underway !== null) {
    const { path, bytes, of } = underway;
    return html`<p>To ${path}: <progress max="${of}" value="${bytes}" aria-label="backup"></progress> ${megabytes(bytes)} of ${megabytes(of)}</p>`;
  }
  const path = field(
    "an empty or new folder on the service's machine",
    "path",
    html`required size="40" placeholder="/path/to/folder"`,
  );
  const { backupEnd } = visit.begun;
  return html`${form(visit, "/backup", "Back up", [path])}${backupEnd === undefined ? undefined : html`<p class="hint">${backupEnd}</p>`}`;
}

function catalogueForm(visit: Visit, action: string, label: string): Html {
  return form(visit, action, label, jsonFile("catalogue", '{ "destinations": [], "flights": [] }'));
}

interface Preview {
  readonly destinations: Tally;
  readonly flights: Tally;
  readonly changes: readonly { readonly id: string; readonly from: object | null; readonly to: object }[];
  readonly refused: readonly string[];
}
type Tally = Readonly<Record<"added" | "changed" | "unchanged", number>>;

/** The most rows on one page. */
const MOST_SHOWN = 500;

/** The changes an import would make, with the form that starts it. */
function previewed(visit: Visit, text: string, { destinations, flights, changes, refused }: Preview): Html {
  const tally = (name: string, { added, changed, unchanged }: Tally): readonly Part[] => [
    name,
    added,
    changed,
    unchanged,
  ];
  const shown = changes.slice(0, MOST_SHOWN);
  return html`${section("Tally", table(["of", "added", "changed", "unchanged"], [tally("destinations", destinations), tally("flights", flights)]), false)}
${refused.length === 0 ? undefined : section("Refused", html`<ul class="problem">${refused.slice(0, MOST_SHOWN).map((line) => html`<li>${line}</li>`)}</ul>`, false)}
${section(
  changes.length > MOST_SHOWN ? `The first ${MOST_SHOWN} of ${changes.length} changes` : "Changes",
  table(
    ["id", "from", "to"],
    shown.map(({ id, from, to }) => [id, from === null ? "new" : fields(from), fields(to)]),
    "Nothing would change.",
  ),
  false,
)}
<div class="actions">${changes.length === 0 ? undefined : form(visit, "/catalogue", "Import it", [hidden("catalogue", text)])}${link("/system", "Back")}</div>`;
}

function fields(of: object): Html {
  return html`${Object.entries(of).map(([name, value]) => html`${name}: ${String(value)}<br>`)}`;
}

/** A backup that takes longer is followed on the page. */
const SOON_MS = 1_000;

export const systemActions: readonly Action[] = [
  {
    path: "/clock",
    async run({ api }, { seconds }) {
      const { now } = await api.post<{ now: string }>("/operator/clock/advance", { seconds: Number(seconds) });
      return `All that was due is done; it is ${now}.`;
    },
  },
  {
    path: "/backup",
    async run({ api, begun }, { path }) {
      begun.backupEnd = undefined;
      const made = api
        .post<{ bytes: number }>("/operator/backup", { path })
        .then(({ bytes }) => `${path}: ${bytes} bytes.`);
      made.then(
        (line) => {
          begun.backupEnd = line;
        },
        (error: Error) => {
          begun.backupEnd = `${path}: ${error.message}`;
        },
      );
      return Promise.race([made, pause(SOON_MS, "The backup is under way.")]);
    },
  },
  {
    path: "/catalogue/preview",
    async run(visit, form) {
      const preview = await visit.api.ask<Preview>("/operator/catalogue/preview", jsonIn("catalogue", form));
      return { title: "What the import would do", content: previewed(visit, form.catalogue ?? "", preview) };
    },
  },
  {
    path: "/catalogue",
    async run({ api }, form) {
      const { destinations, flights } = await api.post<Preview>("/operator/catalogue", jsonIn("catalogue", form));
      const done = (name: string, { added, changed }: Tally) => `${name}: ${added} added, ${changed} changed`;
      return `${done("destinations", destinations)}; ${done("flights", flights)}.`;
    },
  },
];
