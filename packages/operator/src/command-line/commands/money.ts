import type { TransferPreview } from "@travel-booking/read-models";
import type { Command } from "commander";
import { OperatorRefused } from "../../client/operator-client.ts";
import { previewWords } from "../../transfer-words.ts";
import { amountInCents, irreversible, pathPart } from "../arguments.ts";
import { addDisruption, addList, type FilterValues, type Moment, moment, ofDisruption, timeOf } from "../filters.ts";
import { followed, type OperatorSession, row, rows } from "../session.ts";
import type { Row } from "../table.ts";

const REFUNDS = "/operator/refunds";

/** `transfer`, `refund`, `payments`, `dispute` */
export function addMoneyCommands(program: Command, session: OperatorSession): void {
  const transfer = program.command("transfer").description("money received by bank transfer");
  withMoney(transfer.command("receive"))
    .description("match money that arrived to a pending bank transfer; the same entry twice counts once")
    .action((money: EnteredMoney) => session.list("POST", "/operator/transfers", bodyOf(money)));
  withMoney(transfer.command("preview"))
    .description("what `transfer receive` would do; nothing is recorded")
    .action(async (money: EnteredMoney) => {
      const { client, output } = session;
      const preview = row(await client.request("POST", "/operator/transfers/preview", bodyOf(money)));
      if (output.isJson) return output.value(preview);
      await output.line(previewWords(preview as unknown as TransferPreview));
    });
  addList(transfer, session, {
    description: "money received by bank transfer, what of it matches nothing, and what is to be returned",
    path: "/operator/transfers",
    filters: ["status", "account", "since"],
  });
  addList(transfer, session, {
    name: "expected",
    description: "payments that wait for money, longest first, with the reference the payer has to write",
    path: "/operator/transfers/expected",
    filters: ["account", "since"],
  });
  irreversible(transfer.command("returned"), session)
    .description("record that a return, or money that matches nothing, was sent back")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `/operator/transfers/${id}/returned`));

  irreversible(transfer.command("reverse"), session)
    .description("take back money that was entered by mistake, while nothing of it was sent back")
    .argument("<ENTRY>", "the id of its row in transfer list", pathPart)
    .requiredOption("--reason <R>", "why; kept with the booking that counted it")
    .option("--cancel-booking", "also money that has paid: its booking is cancelled, and nothing is sent to anybody")
    .action((id: string, body: object) => session.show("POST", `/operator/transfers/${id}/reverse`, body));

  const refund = program.command("refund").description("refunds that have not arrived");
  addList(refund, session, {
    description: "refunds on their way, and those that failed, with the reason",
    path: REFUNDS,
    filters: ["status", "account", "since", "disruption"],
  });
  addDisruption(
    refund
      .command("retry")
      .description("have the gateway carry out a failed refund again, or all that failed of a disruption")
      .argument("[ID]", "", pathPart),
  ).action((id: string | undefined, { disruption }: FilterValues) => {
    if ((id === undefined) === (disruption === undefined))
      throw new OperatorRefused(["name one refund, or a disruption with --disruption"]);
    return disruption === undefined ? session.show("POST", `${REFUNDS}/${id}/retry`) : retryAll(session, disruption);
  });
  irreversible(refund.command("settle"), session)
    .description("a pending refund has been paid out")
    .argument("<ID>", "", pathPart)
    .action((id: string) => session.show("POST", `${REFUNDS}/${id}/settle`));

  program
    .command("payments")
    .description("charges and refunds, here and at the payment gateway")
    .command("reconcile")
    .description("every difference between the gateway's ledger and ours; the same again goes on where it was")
    .requiredOption("--since <T>", "charges made from then on, such as 2026-11-21T12:00:00Z or 2d", moment)
    .action(async ({ since: from }: { since: Moment }) => {
      const since = await timeOf(session, from);
      const [result] = await followed(session, "reconcile", "POST", "/operator/payments/reconcile", { since });
      await session.output.list(rows(result));
    });
  addList(program.command("dispute").description("charges that their card holders dispute"), session, {
    description: "all of them, with what has become of each",
    path: "/operator/disputes",
    filters: ["status", "account", "since"],
  });
}

/** Sends each again that failed when the list was read, and prints them. */
async function retryAll({ client, output }: OperatorSession, disruption: string): Promise<void> {
  const { data } = row(await client.request("GET", ofDisruption(REFUNDS, { disruption })));
  const failed = rows(data).filter(({ status }) => status === "failed");
  const sent: Row[] = [];
  for (const { id } of failed) sent.push(row(await client.request("POST", `${REFUNDS}/${id}/retry`)));
  await output.list(sent);
}

interface EnteredMoney {
  readonly reference: string;
  readonly sum?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly entry?: string;
}

function withMoney(command: Command): Command {
  return command
    .requiredOption("--reference <R>", "what the payer wrote; for an entry that is unmatched the right one")
    .option("--sum <SUM>", "how much arrived, as people write it: 905.00")
    .option("--amount <CENTS>", "the same in the smallest unit: 90500", amountInCents)
    .option("--currency <C>", "the currency of the payment without this")
    .option("--entry <ID>", "the bank's id of this entry");
}

const bodyOf = ({ entry: entryId, ...money }: EnteredMoney) => ({ ...money, entryId });
