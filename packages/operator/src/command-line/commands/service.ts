import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { type OperatorClient, OperatorRefused } from "../../client/operator-client.ts";
import { durationInSeconds, irreversible, listIndex, pathPart, queryOf, readJson, userPath } from "../arguments.ts";
import type { Progress } from "../output.ts";
import { followed, type OperatorSession, row } from "../session.ts";
import type { Row } from "../table.ts";
import { eventLine } from "../timeline.ts";

/** The program that `npm start` runs, too. */
const STANDALONE = fileURLToPath(new URL("../../../../standalone/start.js", import.meta.url));

/** `summary`, `settings`, `catalogue`, `clock`, `backup`, `projection`, `stream`, `event`, `log` */
export function addServiceCommands(program: Command, session: OperatorSession): void {
  program
    .command("summary")
    .description("what is to be done, and how the instance is that answers")
    .action(() => session.show("GET", "/operator/summary"));

  program
    .command("settings")
    .description("what the instance that answers was started with, without secrets")
    .action(() => session.show("GET", "/operator/settings"));

  const catalogue = program.command("catalogue").description("destinations and flights");
  catalogue
    .command("import")
    .description("take in destinations and flights from a JSON file; twice changes nothing")
    .argument("<FILE>", "", userPath)
    .action((file: string) => session.show("POST", "/operator/catalogue", readJson(file)));

  catalogue
    .command("preview")
    .description("what an import of the file would add, change and refuse; nothing is taken in")
    .argument("<FILE>", "", userPath)
    .action((file: string) => session.show("POST", "/operator/catalogue/preview", readJson(file)));

  const clock = program.command("clock").description("the service's time");
  clock
    .command("show")
    .description("the service's time, and how far it was moved")
    .action(() => session.show("GET", "/operator/clock"));
  clock
    .command("advance")
    .description("move the service's time forward; needs SANDBOX_CLOCK")
    .argument("<DURATION>", "such as 20m (s, m, h, d)", durationInSeconds)
    // Else -5m would be taken for an option, and the error would not say that it is no duration.
    .allowUnknownOption()
    .action((seconds: number) => session.show("POST", "/operator/clock/advance", { seconds }));

  const backups = program
    .command("backup")
    .description("a consistent copy of the embedded stores, while running")
    .argument("<PATH>", "an empty or new folder", userPath)
    .action((path: string) => backup(session, path));
  backups
    .command("verify")
    .description(
      "read all of a backup: every checksum, event, seal and file; asks no service, needs its SECRET_KEY or DATA_DIR",
    )
    .argument("<PATH>", "", userPath)
    .action((path: string) => {
      const { status, stdout } = spawnSync(process.execPath, [STANDALONE, "backup", "verify", path], {
        stdio: ["ignore", "pipe", "inherit"],
        encoding: "utf8",
        env: { ...process.env, LOG_LEVEL: "warn" },
      });
      if (status !== 0) throw new OperatorRefused([`${path} is not verified`]);
      return session.output.value(row(JSON.parse(stdout)));
    });

  const projection = program.command("projection").description("the read models");
  projection
    .command("list")
    .description("the read models: how far they are, what stopped them, and what they have skipped")
    .action(() => session.list("GET", "/operator/projections"));
  projection
    .command("rebuild")
    .description(
      "build a read model anew beside the live one, then switch to it; with --all every one, also from another log",
    )
    .argument("[NAME]", "", pathPart)
    .option("--all", "every read model, one after another")
    .action((name: string | undefined, { all }: { all?: true }) => {
      if ((name === undefined) !== (all === true)) throw new OperatorRefused(["name one read model, or give --all"]);
      return name === undefined ? rebuildAll(session) : rebuildProjection(session, name);
    });
  for (const [verb, description] of [
    ["retry", "try the event again that stopped a projection"],
    ["skip", "leave out the event that stopped a projection, in every rebuild, too"],
  ] as const) {
    const command = projection
      .command(verb)
      .description(description)
      .argument("<NAME>", "", pathPart)
      .action((name: string) => session.show("POST", `/operator/projections/${name}/${verb}`));
    if (verb === "skip") irreversible(command, session);
  }

  const stream = program.command("stream").description("the event log");
  stream
    .command("show")
    .description("the latest events of one stream, one a line; with --json all of each")
    .argument("<STREAM>", "such as booking-bkg_…", pathPart)
    .option("--before <REVISION>", "the events before this one", listIndex)
    .option("--until <POSITION>", "the events up to the one at this position of the log", pathPart)
    .action(async (name: string, range: { before?: number; until?: string }) => {
      const first = await showEvents(
        session,
        `/operator/streams/${name}${queryOf(range)}`,
        ({ revision }) => `#${revision}`,
      );
      if (Number(first?.revision) > 0) session.output.warn(`Earlier events: --before ${first?.revision}`);
    });

  program
    .command("event")
    .description("what is appended to the log")
    .command("tail")
    .description("from now on; with --json all of each event")
    .option("--stream <PREFIX>", "of streams whose name begins so, such as booking- or flight-PXB")
    .option("--type <TYPE>", "of this type, such as BookingConfirmed")
    .action(async ({ stream: prefix = "", type }: { stream?: string; type?: string }) => {
      await showEvents(
        session,
        "/operator/events",
        ({ position, stream: name }) => `${position}  ${name}`,
        (event) => String(event.stream).startsWith(prefix) && (type === undefined || event.type === type),
      );
    });

  program
    .command("log")
    .description("the event log's file")
    .command("rewrite")
    .description("with the service stopped: seal the personal words that a former release stored plain, in DATA_DIR")
    .action(() => {
      const { status } = spawnSync(process.execPath, [STANDALONE, "log", "rewrite"], { stdio: "inherit" });
      if (status !== 0) throw new OperatorRefused(["the log was not rewritten"]);
    });
}

interface Underway {
  readonly underway: { readonly bytes: number; readonly of: number } | null;
}

/** Shows a bar on a terminal while the backup is made. */
async function backup({ client, output }: OperatorSession, path: string): Promise<void> {
  const bar = output.progressBar("backup, bytes");
  const ended = new AbortController();
  const watching = bar && watchBackup(client, (progress) => bar.show(progress), ended.signal);
  try {
    await output.value(row(await client.request("POST", "/operator/backup", { path })));
  } finally {
    ended.abort();
    await watching;
    bar?.clear();
  }
}

async function watchBackup(client: OperatorClient, show: (progress: Progress) => void, ended: AbortSignal) {
  const startedAt = performance.now();
  for (;;) {
    await pause(WATCH_MS, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    const { underway } = await (client.request("GET", "/operator/backup") as Promise<Underway>).catch(() => NOTHING);
    if (underway === null || ended.aborted) continue;
    const rate = (1_000 * underway.bytes) / (performance.now() - startedAt);
    const secondsLeft = underway.bytes === 0 ? null : (underway.of - underway.bytes) / rate;
    show({ position: underway.bytes, head: underway.of, rate, secondsLeft });
  }
}

const WATCH_MS = 500;
const NOTHING: Underway = { underway: null };

/**
 * @param placeOf the place of an event among those shown.
 * @returns the first of them.
 */
async function showEvents(
  session: OperatorSession,
  path: string,
  placeOf: (event: Row) => string,
  isWanted: (event: Row) => boolean = () => true,
): Promise<Row | undefined> {
  const { client, output } = session;
  let first: Row | undefined;
  for await (const line of client.lines("GET", path)) {
    const event = row(line);
    if (!isWanted(event)) continue;
    first ??= event;
    if (output.isJson) await output.jsonLine(event);
    else await output.line(eventLine(event, placeOf(event), output.style()));
  }
  return first;
}

/** @throws OperatorRefused the rebuild failed, or ended without a result. */
async function rebuildProjection(session: OperatorSession, name: string): Promise<void> {
  const [result] = await followed(session, name, "POST", `/operator/projections/${name}/rebuild`);
  await session.output.value(row(result));
}

/** @throws OperatorRefused some failed; the others are rebuilt. */
async function rebuildAll(session: OperatorSession): Promise<void> {
  const results = await followed(session, "all", "POST", "/operator/projections/rebuild");
  await session.output.list(results.map(row));
}
