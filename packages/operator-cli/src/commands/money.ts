import type { Command } from "commander";
import { amountInCents, pathPart } from "../arguments.ts";
import type { OperatorSession } from "../session.ts";

/** `transfer`, `refund` */
export function addMoneyCommands(program: Command, session: OperatorSession): void {
  const transfer = program.command("transfer").description("money received by bank transfer");
  transfer
    .command("receive")
    .description("match money that arrived to a pending bank transfer; the same entry twice counts once")
    .requiredOption("--reference <R>", "what the payer wrote")
    .requiredOption("--amount <CENTS>", "how much arrived", amountInCents)
    .option("--currency <C>", "the currency of the payment without this")
    .option("--entry <ID>", "the bank's id of this entry")
    .action(({ reference, amount, currency, entry: entryId }) =>
      session.list("POST", "/operator/transfers", { reference, amount, currency, entryId }),
    );
  transfer
    .command("list")
    .description("money received by bank transfer, and what of it is to be returned")
    .action(() => session.list("GET", "/operator/transfers"));
  transfer
    .command("returned")
    .description("record that a return was sent back")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `/operator/transfers/${id}/returned`));

  const refund = program.command("refund").description("refunds by bank transfer");
  refund
    .command("settle")
    .description("a pending refund has been paid out")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `/operator/refunds/${id}/settle`));
}
