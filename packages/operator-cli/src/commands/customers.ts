import { type Command, Option } from "commander";
import { pathPart, wholePoints, wordList } from "../arguments.ts";
import type { OperatorSession } from "../session.ts";

/** `account`, `passenger`, `booking`, `erasures`, `seal`, `credential`, `loyalty` */
export function addCustomerCommands(program: Command, session: OperatorSession): void {
  const account = program.command("account").description("customers");
  account
    .command("create")
    .description("open an account")
    .requiredOption("--name <N>")
    .action((body: { name: string }) => session.show("POST", "/operator/accounts", body));
  account
    .command("list")
    .description("all accounts")
    .action(() => session.list("GET", "/operator/accounts"));
  for (const [verb, description] of [
    ["suspend", "refuse every request of an account"],
    ["resume", "serve a suspended account again"],
    ["erase", "forget an account and all people it has had"],
  ] as const) {
    account
      .command(verb)
      .description(description)
      .argument("<ID>", "", pathPart)
      .action((id: string) => session.show("POST", `/operator/accounts/${id}/${verb}`));
  }

  for (const [name, description, erase] of [
    ["passenger", "saved passengers", "forget a saved passenger"],
    ["booking", "bookings", "forget the people of a booking that is flown or cancelled"],
  ] as const) {
    program
      .command(name)
      .description(description)
      .command("erase")
      .description(erase)
      .argument("<ID>", "", pathPart)
      .action((id: string) => session.show("POST", `/operator/${name}s/${id}/erase`));
  }
  program
    .command("erasures")
    .description("who was forgotten")
    .command("export")
    .description("all of them; the service forgets them again with --erasures FILE, of what this writes with --json")
    .action(() => session.list("GET", "/operator/erasures"));

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
    .action(({ account: accountId, kind, scopes, name }) =>
      session.show("POST", "/operator/credentials", { accountId, kind, scopes, name }),
    );
  credential
    .command("list")
    .description("all credentials, without their secrets")
    .action(() => session.list("GET", "/operator/credentials"));
  credential
    .command("revoke")
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
