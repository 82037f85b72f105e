import { type Command, InvalidArgumentError } from "commander";
import { durationInSeconds, pathPart } from "./arguments.ts";
import type { OperatorSession } from "./session.ts";
import type { Row } from "./table.ts";

/** The ways to narrow down a list. */
type Filter = "status" | "account" | "since" | "disruption";

/** Fields that hold the moment of an event. A row has one of them. */
const MOMENTS = ["createdAt", "receivedAt", "uploadedAt", "deliveredAt", "changedAt", "erasedAt", "since"];

export interface FilterValues {
  readonly status?: string;
  readonly account?: string;
  readonly since?: number;
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
  command.action((values: FilterValues & Readonly<Record<string, unknown>>) => {
    const from = instead !== undefined && values[instead.flag.slice("--".length)] === true ? instead.path : path;
    return session.list("GET", ofDisruption(from, values), undefined, (row) => isWanted(row, values));
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

export function isWanted(row: Row, { status, account, since }: FilterValues): boolean {
  if (status !== undefined && row.status !== status) return false;
  if (account !== undefined && row.accountId !== account) return false;
  if (since === undefined) return true;
  const at = MOMENTS.map((field) => row[field]).find((value) => typeof value === "string");
  return typeof at === "string" && Date.parse(at) >= since;
}

/** Reads a moment, or how long ago it was, as milliseconds since the epoch. @throws InvalidArgumentError */
export function moment(text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Date.now() - 1_000 * durationInSeconds(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError("Write a moment such as 2026-11-21T12:00:00Z, or how long ago: 2h.");
  return at;
}
