import { type Command, InvalidArgumentError } from "commander";
import { durationInSeconds, pathPart } from "./arguments.ts";
import { type OperatorSession, row as rowOf } from "./session.ts";
import type { Row } from "./table.ts";

/** The ways to narrow down a list. */
type Filter = "status" | "account" | "since" | "disruption";

/** Fields that hold the moment of an event. A row has one of them. */
const MOMENTS = ["createdAt", "receivedAt", "uploadedAt", "deliveredAt", "changedAt", "erasedAt", "since"];

/** Milliseconds since the epoch, or how long ago it was. */
export type Moment = number | { readonly secondsAgo: number };

export interface FilterValues {
  readonly status?: string;
  readonly account?: string;
  readonly since?: Moment;
  readonly disruption?: string;
}

/** Adds a command that lists the rows of a path, and takes these filters. */
export function addList(
  parent: Command,
  session: OperatorSession,
  list: {
    /** The command's name; `list` if absent. */
    readonly name?: string;
    readonly description: string;
    readonly path: string;
    readonly filters: readonly Filter[];
    /** A flag that shows the rows of another path instead. */
    readonly instead?: { readonly flag: string; readonly description: string; readonly path: string };
  },
): void {
  const { name = "list", description, path, filters, instead } = list;
  const command = parent.command(name).description(description);
  if (filters.includes("status")) command.option("--status <STATUS>", "those with this status");
  if (filters.includes("account")) command.option("--account <ID>", "those of this account");
  if (filters.includes("since"))
    command.option("--since <T>", "those from then on, such as 2026-11-21T12:00:00Z or 2h", moment);
  if (filters.includes("disruption")) addDisruption(command);
  if (instead !== undefined) command.option(instead.flag, instead.description);
  command.action(async (values: FilterValues & Readonly<Record<string, unknown>>) => {
    const from = instead !== undefined && values[instead.flag.slice("--".length)] === true ? instead.path : path;
    const since = await earliest(session, values.since);
    return session.list("GET", ofDisruption(from, values), undefined, (row) => isWanted(row, values, since));
  });
}

export function addDisruption(command: Command): Command {
  return command.option(
    "--disruption <ID>",
    "those of bookings that followed this disruption of their flight",
    pathPart,
  );
}

/** The path of a list, of one disruption where that is asked for. The service knows which bookings followed. */
export function ofDisruption(path: string, { disruption }: Pick<FilterValues, "disruption">): string {
  return disruption === undefined ? path : `${path}?disruption=${disruption}`;
}

/** @param since milliseconds since the epoch; undefined: of any time. */
export function isWanted(row: Row, { status, account }: FilterValues, since: number | undefined): boolean {
  if (status !== undefined && row.status !== status) return false;
  if (account !== undefined && row.accountId !== account) return false;
  if (since === undefined) return true;
  const at = MOMENTS.map((field) => row[field]).find((value) => typeof value === "string");
  return typeof at === "string" && Date.parse(at) >= since;
}

/** From when on rows are wanted; undefined: of any time. */
export async function earliest(session: OperatorSession, since: Moment | undefined): Promise<number | undefined> {
  return since === undefined ? undefined : Date.parse(await timeOf(session, since));
}

/** A moment in ISO 8601. How long ago it was goes by the service's clock. */
export async function timeOf({ client }: OperatorSession, moment: Moment): Promise<string> {
  if (typeof moment === "number") return new Date(moment).toISOString();
  const { now } = rowOf(await client.request("GET", "/operator/clock"));
  return new Date(Date.parse(String(now)) - 1_000 * moment.secondsAgo).toISOString();
}

/** Reads a moment, or how long ago it was. @throws InvalidArgumentError */
export function moment(text: string): Moment {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (day === undefined) return { secondsAgo: durationInSeconds(text) };
  const [at, midnight] = [Date.parse(text), Date.parse(day)];
  if (Number.isNaN(at) || Number.isNaN(midnight))
    throw new InvalidArgumentError("Write a moment such as 2026-11-21T12:00:00Z, or how long ago: 2h.");
  // `Date.parse` makes 30 February a day of March.
  if (!new Date(midnight).toISOString().startsWith(day))
    throw new InvalidArgumentError("It is not a moment of the calendar.");
  return at;
}
