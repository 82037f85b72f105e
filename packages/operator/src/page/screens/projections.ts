import { type Html, html, type Part } from "@travel-booking/http/html";
import type { ProjectionStatus, RebuildProgress } from "@travel-booking/read-models/control";
import { danger, form } from "../forms.ts";
import { json, link, pathOf, section, sectionOf, status, table } from "../parts.ts";
import type { Action, OperatorApi, Rebuild, Screen, Visit } from "../screen.ts";

/** A row that `projection list` prints, too. Events are written as `stream@position`. */
export type ProjectionRow = Omit<ProjectionStatus, "failedAt"> & {
  readonly failedAt: string | null;
  readonly skipped: readonly string[];
};

export const projections: Screen = {
  path: "/projections",
  title: "Projections",
  async view(visit) {
    const rows = await visit.api.list<ProjectionRow>("/operator/projections");
    const stopped = rows.filter(({ state }) => state === "stopped");
    return html`${await Promise.all(stopped.map((row) => sectionOf(`${row.name} is stopped`, () => poison(visit, row))))}
${section("Read models", readModels(visit, rows))}`;
  },
};

function readModels(visit: Visit, rows: readonly ProjectionRow[]): Html {
  return table(
    ["projection", "state", "position", "lag", "skipped", "rebuild"],
    rows.map((row) => [
      row.name,
      status(row.state),
      row.position,
      row.lag,
      row.skipped.length === 0 ? "–" : row.skipped.map((place) => html`${link(pagePath(place), place)} `),
      rebuildCell(visit, row),
    ]),
  );
}

function rebuildCell(visit: Visit, { name, state }: ProjectionRow): Part {
  const rebuild = visit.begun.rebuilds.get(name);
  const { progress, end } = rebuild ?? {};
  if (rebuild !== undefined && end === undefined) {
    const { position = 0, head = 1, rate = 0, secondsLeft = null } = progress ?? {};
    const left = secondsLeft === null ? "" : `, ${Math.ceil(secondsLeft)} s left`;
    return html`<progress max="${head}" value="${position}" aria-label="rebuild of ${name}"></progress> <small>${Math.round(rate)}/s${left}</small>`;
  }
  if (state === "rebuilding") return "under way";
  return html`${form(visit, `${pathOf("projections", name)}/rebuild`, "Rebuild")}${end === undefined ? undefined : html` <small>${end}</small>`}`;
}

const streamOf = (place: string) => place.slice(0, place.lastIndexOf("@"));
const positionOf = (place: string) => place.slice(place.lastIndexOf("@") + 1);
const pagePath = (place: string) =>
  `/streams?${new URLSearchParams({ name: streamOf(place), until: positionOf(place) })}`;

/** The event that stopped the projection, and the ways to go on. */
async function poison(visit: Visit, { name, error, failedAt }: ProjectionRow): Promise<Part> {
  const event = failedAt === null ? undefined : await eventAt(visit.api, failedAt);
  return html`<p class="problem">${error ?? "The reason is not known."}</p>
${failedAt === null ? undefined : html`<p>It stopped at ${link(pagePath(failedAt), failedAt)}. Everything else goes on; what this read model shows is as it was before.</p>`}
${event === undefined ? undefined : json(event)}
<div class="actions">${form(visit, `${pathOf("projections", name)}/retry`, "Try it again")}${danger(visit, `${pathOf("projections", name)}/skip`, "Skip this event for good", { name, what: "The read model never shows what this event did, in no rebuild either." })}</div>`;
}

async function eventAt(api: OperatorApi, place: string): Promise<unknown> {
  for await (const event of api.lines<{ readonly position: string }>(
    "GET",
    `/operator/streams${pathOf(streamOf(place))}?until=${positionOf(place)}`,
  )) {
    if (event.position === positionOf(place)) return event;
  }
  return undefined;
}

interface RebuildLine {
  readonly progress?: RebuildProgress;
  readonly result?: { readonly events: number; readonly seconds: number };
  readonly error?: { readonly message: string };
}

/** Follows a rebuild to its end, even if no browser is watching. */
async function follow(lines: AsyncIterable<RebuildLine>, rebuild: Rebuild): Promise<void> {
  try {
    for await (const { progress, result, error } of lines) {
      if (progress !== undefined) rebuild.progress = progress;
      if (result !== undefined) rebuild.end = `${result.events} events in ${result.seconds} s`;
      if (error !== undefined) rebuild.end = error.message;
    }
  } catch (error) {
    rebuild.end = (error as Error).message;
  }
  rebuild.end ??= "it ended without a result";
}

const operatorPath = ({ params: { name = "" } }: Visit, verb: string) => `/operator/projections${pathOf(name)}/${verb}`;

export const projectionActions: readonly Action[] = [
  {
    path: "/projections/:name/rebuild",
    async run(visit) {
      const { name = "" } = visit.params;
      const { rebuilds } = visit.begun;
      const last = rebuilds.get(name);
      if (last === undefined || last.end !== undefined) {
        const rebuild: Rebuild = { progress: undefined, end: undefined };
        rebuilds.set(name, rebuild);
        void follow(visit.api.lines<RebuildLine>("POST", operatorPath(visit, "rebuild")), rebuild);
      }
      return `${name} is being rebuilt beside the live one.`;
    },
  },
  ...(["retry", "skip"] as const).map((verb) => ({
    path: `/projections/:name/${verb}`,
    isDangerous: verb === "skip",
    async run(visit: Visit) {
      const { name, state, error } = await visit.api.post<ProjectionRow>(operatorPath(visit, verb));
      return state === "stopped" ? `${name} is stopped again: ${error}` : `${name} goes on.`;
    },
  })),
];
