import fs from "node:fs";
import type { Command } from "commander";
import { durationInSeconds, pathPart, userPath } from "../arguments.ts";
import { OperatorRefused } from "../operator-client.ts";
import type { Progress } from "../output.ts";
import { isRow, type OperatorSession, row } from "../session.ts";

/** `catalogue`, `clock`, `backup`, `projection`, `webhook`, `stream` */
export function addServiceCommands(program: Command, session: OperatorSession): void {
  const catalogue = program.command("catalogue").description("destinations and flights");
  catalogue
    .command("import")
    .description("take in destinations and flights from a JSON file; twice changes nothing")
    .argument("<FILE>", "", userPath)
    .action((file: string) => session.show("POST", "/operator/catalogue", readJson(file)));

  const clock = program.command("clock").description("the service's time");
  clock
    .command("show")
    .description("the service's time, and how far it was moved")
    .action(() => session.show("GET", "/operator/clock"));
  clock
    .command("advance")
    .description("move the service's time forward; needs SANDBOX_CLOCK")
    .argument("<DURATION>", "such as 20m (s, m, h, d)", durationInSeconds)
    // Else -5m would be one, and not called what it is: no duration.
    .allowUnknownOption()
    .action((seconds: number) => session.show("POST", "/operator/clock/advance", { seconds }));

  program
    .command("backup")
    .description("a consistent copy of the embedded stores, while running")
    .argument("<PATH>", "an empty or new folder", userPath)
    .action((path: string) => session.show("POST", "/operator/backup", { path }));

  const projection = program.command("projection").description("the read models");
  projection
    .command("list")
    .description("the read models: how far they are, what stopped them, and what they have skipped")
    .action(() => session.list("GET", "/operator/projections"));
  projection
    .command("rebuild")
    .description("build a read model anew beside the live one, then switch to it")
    .argument("<NAME>", "", pathPart)
    .action((name: string) => rebuildProjection(session, name));
  for (const [verb, description] of [
    ["retry", "try the event again that stopped a projection"],
    ["skip", "leave out the event that stopped a projection, in every rebuild, too"],
  ] as const) {
    projection
      .command(verb)
      .description(description)
      .argument("<NAME>", "", pathPart)
      .action((name: string) => session.show("POST", `/operator/projections/${name}/${verb}`));
  }

  const webhook = program.command("webhook").description("webhook endpoints and deliveries");
  const endpoints = "/operator/webhook-endpoints";
  webhook
    .command("endpoints")
    .description("where events are delivered, and how deliveries stand")
    .action(() => session.list("GET", endpoints));
  webhook
    .command("deliveries")
    .description("the latest attempts to deliver, newest first (attempt 0: a probe of a paused endpoint)")
    .option("--endpoint <ID>", "of this endpoint alone", pathPart)
    .action(({ endpoint }: { endpoint?: string }) =>
      session.list(
        "GET",
        endpoint === undefined ? "/operator/webhook-deliveries" : `${endpoints}/${endpoint}/deliveries`,
      ),
    );
  webhook
    .command("replay")
    .description("deliver the events since a moment once more")
    .requiredOption("--endpoint <ID>", "where to", pathPart)
    .requiredOption("--since <T>", "such as 2026-11-21T12:00:00Z")
    .action(({ endpoint, since }: { endpoint: string; since: string }) =>
      session.show("POST", `${endpoints}/${endpoint}/replay`, { since }),
    );

  const stream = program.command("stream").description("the event log");
  stream
    .command("show")
    .description("the events of one stream, as JSON lines")
    .argument("<STREAM>", "", pathPart)
    .action(async (name: string) => {
      for await (const event of session.client.lines("GET", `/operator/streams/${name}`)) {
        await session.output.jsonLine(event);
      }
    });
}

function readJson(file: string): object {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new OperatorRefused([`${file} can't be read as JSON: ${(error as Error).message}`]);
  }
}

/** Follows a rebuild to its end, with a bar on a terminal. @throws OperatorRefused it failed, or ended without a result. */
async function rebuildProjection({ client, output }: OperatorSession, name: string): Promise<void> {
  const bar = output.progressBar(name);
  try {
    for await (const line of client.lines("POST", `/operator/projections/${name}/rebuild`)) {
      const { progress, result, error } = row(line);
      if (progress !== undefined) bar?.show(progressOf(progress));
      if (error !== undefined) throw new OperatorRefused([String(isRow(error) ? error.message : error)]);
      if (result !== undefined) {
        bar?.clear();
        await output.value(row(result));
        return;
      }
    }
  } catch (error) {
    bar?.clear();
    throw error;
  }
  throw new OperatorRefused([`the rebuild of ${name} ended without a result`]);
}

function progressOf(value: unknown): Progress {
  const { position, head, rate, secondsLeft } = row(value);
  return {
    position: Number(position),
    head: Number(head),
    rate: Number(rate),
    secondsLeft: typeof secondsLeft === "number" ? secondsLeft : null,
  };
}
