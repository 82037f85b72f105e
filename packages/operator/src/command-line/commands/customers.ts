import { type Command, Option } from "commander";
import { irreversible, pathPart, userPath, wholePoints, wordList } from "../arguments.ts";
import { addList } from "../filters.ts";
import { type OperatorSession, row, rows } from "../session.ts";
import { ORIGINAL, ORIGINAL_WARNING } from "./documents.ts";

/** `account`, `passenger`, `person`, `erasures`, `seal`, `credential`, `loyalty` */
export function addCustomerCommands(program: Command, session: OperatorSession): void {
  const account = program.command("account").description("customers");
  account
    .command("create")
    .description("open an account")
    .requiredOption("--name <N>")
    .action((body: { name: string }) => session.show("POST", "/operator/accounts", body));
  addList(account, session, { description: "all accounts", path: "/operator/accounts", filters: ["status"] });
  account
    .command("show")
    .description("an account, and what it has taken of its quotas")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("GET", `/operator/accounts/${id}`));
  for (const [verb, description] of [
    ["suspend", "refuse every request of an account"],
    ["resume", "serve a suspended account again"],
    ["erase", "forget an account and all people it has had"],
  ] as const) {
    const command = account
      .command(verb)
      .description(description)
      .argument("<ID>", "", pathPart)
      .action((id: string) => session.show("POST", `/operator/accounts/${id}/${verb}`));
    if (verb !== "resume") irreversible(command, session);
  }

  const passenger = program.command("passenger").description("saved passengers");
  irreversible(passenger.command("erase"), session)
    .description("forget a saved passenger")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `/operator/passengers/${id}/erase`));
  for (const [owner, name] of [
    [account, "account"],
    [passenger, "passenger"],
  ] as const) {
    const exporting = owner
      .command("export")
      .description(
        `all that is held about ${name === "account" ? "an account" : "a saved passenger"}, in a new tar archive`,
      )
      .argument("<ID>", "", pathPart)
      .argument("[FILE]", "ID.tar without this", userPath)
      .action((id: string, file = userPath(`${id}.tar`), { original }: { original?: true } = {}) => {
        if (original === true) session.output.warn(ORIGINAL_WARNING);
        return session.archive(`/operator/${name}s/${id}/export${original === true ? "?original=true" : ""}`, file);
      });
    if (name === "account") exporting.option("--original", ORIGINAL);
  }

  const person = program.command("person").description("people, by their e-mail address, over all accounts");
  const query = (email: string) => `?email=${encodeURIComponent(email)}`;
  person
    .command("find")
    .description("the bookings and saved passengers of a person")
    .argument("<EMAIL>")
    .action((email: string) => session.list("GET", `/operator/persons${query(email)}`));
  person
    .command("export")
    .description("what is held about a person, without who travels with them, in a new tar archive")
    .argument("<EMAIL>")
    .argument("<FILE>", "", userPath)
    .action((email: string, file: string) => session.archive(`/operator/persons/export${query(email)}`, file));
  irreversible(person.command("erase"), session)
    .description("forget a person wherever the journey is over, and say where it is not")
    .argument("<EMAIL>")
    .action((email: string) => session.list("POST", "/operator/persons/erase", { email }));

  program
    .command("erasures")
    .description("who was forgotten")
    .command("export")
    .description("all of them; the service forgets them again with --erasures FILE, of what this writes with --json")
    .action(() => session.list("GET", "/operator/erasures"));

  program
    .command("privacy")
    .description("personal data that is held")
    .command("report")
    .description(
      "bookings that are over, their documents and saved passengers: how many, since when, what is erased next",
    )
    .action(async () => {
      const { client, output } = session;
      const kept = rows(row(await client.request("GET", "/operator/privacy")).data);
      if (output.isJson) return output.list(kept);
      await output.list(kept.map(({ next: _, ...held }) => held));
      await output.list(kept.flatMap(({ kind, next }) => rows(next).map((due) => ({ kind, ...due }))));
    });

  program
    .command("seal")
    .description(
      "how many events have personal words that are sealed, and how many have plain ones of a former release",
    )
    .action(() => session.show("GET", "/operator/seal"));

  const credential = program.command("credential").description("API keys and OAuth clients");
  credential
    .command("create")
    .description("an API key or an OAuth client; its secret is shown once")
    .requiredOption("--account <ID>", "whose credential it is")
    .addOption(new Option("--kind <KIND>").choices(["api-key", "oauth-client"]).makeOptionMandatory())
    .option("--scopes <LIST>", 'such as "flights:read bookings:read"; all without this', wordList)
    .option("--name <N>", "to tell it from others")
    .option("--test", "a key that reads tbs_test_…; it can do the same")
    .action(({ account: accountId, kind, scopes, name, test }) =>
      session.show("POST", "/operator/credentials", { accountId, kind, scopes, name, test }),
    );
  addList(credential, session, {
    description: "all credentials, without their secrets",
    path: "/operator/credentials",
    filters: ["status", "account", "since"],
  });
  irreversible(credential.command("revoke"), session)
    .description("end a credential for good")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("DELETE", `/operator/credentials/${id}`));

  const loyalty = program.command("loyalty").description("loyalty points");
  loyalty
    .command("adjust")
    .description("add points to an account or, with a negative number, take some")
    .requiredOption("--account <ID>", "whose points they are")
    .requiredOption("--points <N>", "how many", wholePoints)
    .requiredOption("--reason <R>", "why")
    .action(({ account: accountId, points, reason }) =>
      session.show("POST", "/operator/loyalty/adjustments", { accountId, points, reason }),
    );
}
