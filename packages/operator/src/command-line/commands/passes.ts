import type { Command } from "commander";
import { OperatorRefused } from "../../client/operator-client.ts";
import { readJson, userPath } from "../arguments.ts";
import { isRow, type OperatorSession } from "../session.ts";

/** `pass` */
export function addPassCommands(program: Command, session: OperatorSession): void {
  program
    .command("pass")
    .description("boarding passes")
    .command("verify")
    .description("whether the service made a boarding pass, and what it says; asks no service")
    .argument("<BARCODE>", "the text of the barcode")
    .argument("<KEYS>", "a file with what GET /.well-known/boarding-pass-keys answered", userPath)
    .action((barcode: string, file: string) => verify(session, barcode, file));
}

/** @throws OperatorRefused the barcode is no pass of this service, or was changed. */
async function verify({ output }: OperatorSession, barcode: string, file: string): Promise<void> {
  const [{ boardingItemsOf, signedPartsOf }, { isSignedBy }] = await Promise.all([
    import("@travel-booking/domain"),
    import("@travel-booking/runtime"),
  ]);
  const keys = readJson(file);
  const parts = signedPartsOf(barcode);
  if (parts === undefined) throw new OperatorRefused(["the barcode carries no signature of this kind"]);
  if (!isKeySet(keys)) throw new OperatorRefused([`${file} has no list of keys`]);
  let isGenuine: boolean;
  try {
    isGenuine = isSignedBy(keys, parts.text, parts.signature);
  } catch (error) {
    throw new OperatorRefused([`${file} has a key that can't be used: ${(error as Error).message}`]);
  }
  if (!isGenuine) throw new OperatorRefused(["the pass is signed by none of the keys: it is forged or changed"]);
  await output.value({ signature: "valid", ...boardingItemsOf(parts.text) });
}

type KeySet = Parameters<typeof import("@travel-booking/runtime").isSignedBy>[0];

function isKeySet(value: unknown): value is KeySet {
  return isRow(value) && Array.isArray(value.keys) && value.keys.length > 0;
}
