import type { ReportTotals } from "@travel-booking/read-models";
import { type Command, Option } from "commander";
import { moneys } from "../../money.ts";
import { REPORT_COLUMNS } from "../../reports.ts";
import { type Moment, moment, timeOf } from "../filters.ts";
import { type OperatorSession, row } from "../session.ts";

interface Asked {
  readonly from: Moment;
  readonly to?: Moment;
  readonly format?: "csv" | "table";
}

/** `report` */
export function addReportCommands(program: Command, session: OperatorSession): void {
  const report = program.command("report").description("what was booked, paid and paid back in a time");
  const between = async ({ from, to = { secondsAgo: 0 } }: Pick<Asked, "from" | "to">) =>
    `from=${await timeOf(session, from)}&to=${await timeOf(session, to)}`;
  for (const [name, description] of [
    ["bookings", "bookings made in a time, as they are now"],
    ["payments", "payments begun in a time, as they are now"],
    ["refunds", "refunds begun in a time, as they are now"],
  ] as const) {
    withPeriod(report.command(name).description(`${description}: a CSV table; with --json one a line`))
      .addOption(new Option("--format <FORMAT>", "a table for people instead").choices(["csv", "table"]))
      .action(async ({ format, ...asked }: Asked) => {
        const path = `/operator/reports/${name}?${await between(asked)}`;
        if (format !== "table") return session.csv(path, REPORT_COLUMNS[name]);
        await session.output.list(await Array.fromAsync(session.client.lines("GET", path), row));
      });
  }
  withPeriod(
    report.command("totals").description("how many bookings, what was paid and paid back, and deliveries, by day"),
  )
    .addOption(new Option("--by <PERIOD>", "by month instead").choices(["day", "month"]))
    .action(async ({ by = "day", ...asked }: Asked & { readonly by?: string }) => {
      const path = `/operator/reports/totals?${await between(asked)}&by=${by}`;
      if (session.output.isJson) return session.show("GET", path);
      const { isAll, periods } = (await session.client.request("GET", path)) as ReportTotals;
      await session.output.list(
        periods.map(({ paid, refunded, ...numbers }) => ({
          ...numbers,
          paid: moneys(paid),
          refunded: moneys(refunded),
        })),
      );
      if (!isAll) session.output.warn("there was too much: the rest is not counted. Ask for a shorter time");
    });
  report
    .command("loads")
    .description("how full the thirty flights are that depart next")
    .action(() => session.list("GET", "/operator/reports/loads"));
}

function withPeriod(command: Command): Command {
  return command
    .requiredOption("--from <T>", "from then on: 2026-11-01, 2026-11-21T12:00:00Z, or 30d", moment)
    .option("--to <T>", "and before this, such as 2026-12-01; until now without", moment);
}
