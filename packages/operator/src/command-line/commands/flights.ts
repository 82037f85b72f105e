import { type Command, Option } from "commander";
import { OperatorRefused } from "../../client/operator-client.ts";
import { days, irreversible, listIndex, pathPart, readJson, userPath } from "../arguments.ts";
import { addList, type Moment, moment, timeOf } from "../filters.ts";
import { type OperatorSession, row, rows } from "../session.ts";

/** `flight`, `disruption` */
export function addFlightCommands(program: Command, session: OperatorSession): void {
  const flight = program.command("flight").description("flights on sale");
  flight
    .command("show")
    .description("a flight: load by cabin, what is paid, seats that are blocked; with --json its seat map, too")
    .argument("<ID>", "", pathPart)
    .action(async (id: string) => {
      const { client, output } = session;
      const { seatMap, ...shown } = row(await client.request("GET", `/operator/flights/${id}`));
      const money = row(await client.request("GET", `/operator/flights/${id}/money`));
      await output.value({ ...shown, ...money, ...(output.isJson && { seatMap }) });
    });
  flight
    .command("manifest")
    .description("who is on board, as they board, as a CSV table; with --json one passenger a line")
    .argument("<ID>", "", pathPart)
    .option("--as-of <T>", "as it was then: 2026-11-21T12:00:00Z, or 2h", moment)
    .action(async (id: string, { asOf }: { asOf?: Moment }) => {
      const then = asOf === undefined ? "" : `?asOf=${await timeOf(session, asOf)}`;
      return session.csv(`/operator/flights/${id}/manifest${then}`);
    });
  flight
    .command("block")
    .description("take a seat out of sale that nobody has")
    .argument("<ID>", "", pathPart)
    .argument("<SEAT>")
    .option("--reason <R>", "what is wrong with it, for operators")
    .action((id: string, seat: string, body: object) => showAfter(session, `${id}/block`, { seat, ...body }));
  flight
    .command("unblock")
    .description("sell a seat again that an operator has blocked")
    .argument("<ID>", "", pathPart)
    .argument("<SEAT>")
    .action((id: string, seat: string) => showAfter(session, `${id}/unblock`, { seat }));
  flight
    .command("fare")
    .description("another fare for a cabin, until it is changed again, by an import, too")
    .argument("<ID>", "", pathPart)
    .argument("<CABIN>", "such as economy")
    .argument("<SUM>", "as people write it: 905.00")
    .action((id: string, cabin: string, sum: string) => showAfter(session, `${id}/fare`, { cabin, sum }));
  decision(flight, session, "close-sales", "take no new holds and bookings; without --run only the plan");
  decision(flight, session, "open-sales", "take holds and bookings again; without --run only the plan");
  decision(
    flight,
    session,
    "retime",
    "the flight departs at another time, and its bookings follow; without --run only the plan",
    ({ departs: departsAt, ...options }) => ({ departsAt, ...options }),
  )
    .requiredOption("--departs <TIME>", "when it departs, such as 2027-03-01T09:00:00Z")
    .option("--duration-days <DAYS>", "how long it takes, if not as long as before", days);
  decision(
    flight,
    session,
    "swap",
    "the flight goes with another ship, and its bookings are seated there; without --run only the plan",
    (options, file) => ({ ...readJson(file), ...options }),
  ).argument("<FILE>", "its cabins as in the catalogue", userPath);
  const cancel = decision(
    flight,
    session,
    "cancel",
    "the flight never departs, and its bookings end; without --run only the plan",
  );
  irreversible(cancel, session, (command) => (command.opts().run === undefined ? undefined : command.args[0]))
    .addOption(
      new Option("--policy <POLICY>", "what becomes of those who have paid").choices(["refund", "offer", "move"]),
    )
    .option(
      "--into <FLIGHTS>",
      "the flights to move them to, or to offer: F2,F3; the first with room",
      (list: string) => list.split(","),
    );
  decision(flight, session, "reinstate", "a cancelled flight departs after all; without --run only the plan");

  const disruption = program.command("disruption").description("flights that do not go as they were sold");
  addList(disruption, session, {
    description: "latest first: how far each has got, and the bookings that could not follow",
    path: "/operator/disruptions",
    filters: ["status", "since"],
  });
  disruption
    .command("show")
    .description("how far it has got, what goes back, and what it means for each booking")
    .argument("<ID>", "", pathPart)
    .action(async (id: string) => {
      const path = `/operator/disruptions/${id}`;
      if (session.output.isJson) return session.show("GET", path);
      const { cases, ...shown } = row(await session.client.request("GET", path));
      await session.output.value(shown);
      await session.output.list(rows(cases));
    });
  disruption
    .command("verify")
    .description("once the sweep has ended: every total added up anew from the streams, and all that differs")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("GET", `/operator/disruptions/${id}/verify`));
  disruption
    .command("export")
    .description("of each booking when it was told, what was offered and chosen, what is due and paid")
    .argument("<ID>", "", pathPart)
    .addOption(new Option("--format <FORMAT>", "a table for other programs").choices(["csv"]))
    .action((id: string) => session.csv(`/operator/disruptions/${id}/export`));
  disruption
    .command("settle")
    .description("the answer of a client by telephone, by the rules that their own would have")
    .argument("<CASE>", "of one booking, as disruption show lists it", pathPart)
    .option("--accept", "what takes the place of the journey")
    .option("--rebook <FLIGHT>", "another flight")
    .option("--upgrade <CABIN>", "a better cabin, free of charge, for who has no place on another ship")
    .option("--downgrade <CABIN>", "a lower one, with the difference of the fares back")
    .option("--refund", "the booking ends, and all money goes back")
    .option("--reason <R>", "what is to be known of it, for operators")
    .action((id: string, { accept, rebook, upgrade, downgrade, refund, reason }: Settling) => {
      const answers = [
        ...(accept ? [{ answer: "accept" }] : []),
        ...(rebook === undefined ? [] : [{ answer: "rebook", flightId: rebook }]),
        ...(upgrade === undefined ? [] : [{ answer: "upgrade", cabin: upgrade }]),
        ...(downgrade === undefined ? [] : [{ answer: "downgrade", cabin: downgrade }]),
        ...(refund ? [{ answer: "refund" }] : []),
      ];
      if (answers.length !== 1)
        throw new OperatorRefused(["give one of --accept, --rebook, --upgrade, --downgrade and --refund"]);
      return session.show("POST", `/operator/cases/${id}/settle`, { ...answers[0], ...(reason && { reason }) });
    });
  for (const [name, verb, description] of [
    ["pause", "pause", "stop the sweep; clients' own commands go on"],
    ["resume", "resume", "go on with the sweep"],
    ["retry", "resume", "sweep once more, with the bookings that were stuck"],
  ] as const) {
    disruption
      .command(name)
      .description(description)
      .argument("<ID>", "", pathPart)
      .action((id: string) => showRun(session, `/operator/disruptions/${id}/${verb}`));
  }
}

interface Settling {
  readonly accept?: true;
  readonly rebook?: string;
  readonly upgrade?: string;
  readonly downgrade?: string;
  readonly refund?: true;
  readonly reason?: string;
}

type Options = Readonly<Record<string, unknown>>;

/** A decision about a flight: a plan, or with its revision the run. */
function decision(
  flight: Command,
  session: OperatorSession,
  name: string,
  description: string,
  bodyOf: (options: Options, file: string) => object = (options) => options,
): Command {
  return flight
    .command(name)
    .description(description)
    .argument("<ID>", "", pathPart)
    .option("--reason <TEXT>", "for everybody who asks")
    .option("--run <REVISION>", "do it: the revision that the plan shows", listIndex)
    .action((id: string, ...given: readonly unknown[]) => {
      const [file, options] = [String(given[0]), given.at(-2) as Options];
      return showRun(session, `/operator/flights/${id}/${name}`, bodyOf(options, file));
    });
}

/** Changes a flight and prints it as it is then. */
async function showAfter({ client, output }: OperatorSession, path: string, body: object): Promise<void> {
  const { seatMap: _, ...shown } = row(await client.request("POST", `/operator/flights/${path}`, body));
  await output.value(shown);
}

/** Prints what has begun. The cases are for `disruption show`. */
async function showRun({ client, output }: OperatorSession, path: string, body?: object): Promise<void> {
  const { cases: _, ...shown } = row(await client.request("POST", path, body));
  await output.value(shown);
}
