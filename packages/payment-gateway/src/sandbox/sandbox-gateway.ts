import { type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import {
  type ChargeOutcome,
  type ChargeRequest,
  GatewayTimeout,
  type PaymentGateway,
  RefundRefused,
  type RefundRequest,
  type TokenDetails,
} from "../port.ts";
import { type ChargedEntry, type LedgerEntry, refundedAmount, SandboxLedger } from "./ledger.ts";
import { SANDBOX_TOKENS } from "./tokens.ts";

const UNKNOWN_CARD: ChargeOutcome = { status: "failed", failureCode: "incorrect_number" };
const BARRED: ChargeOutcome = { status: "failed", failureCode: "processing_error" };

function outcomeOf(entry: LedgerEntry): ChargeOutcome {
  return entry.kind === "charged" ? entry.outcome : BARRED;
}

/**
 * A gateway that moves no real money: the token decides the outcome. Its ledger is durable. Like a real gateway, it
 * remembers a charge whose answer was lost. Several instances may share one store.
 */
export class SandboxGateway implements PaymentGateway {
  readonly ledger: SandboxLedger;

  constructor(store: StateStore) {
    this.ledger = new SandboxLedger(store);
  }

  async describeToken(token: string, as: "card" | { readonly walletType: string }): Promise<TokenDetails | undefined> {
    const known = SANDBOX_TOKENS.get(token);
    if (known === undefined) return undefined;
    return as === "card" ? { type: "card", card: known.card } : { type: "wallet", wallet: { type: as.walletType } };
  }

  async charge({ paymentId, amount, currency, token }: ChargeRequest): Promise<ChargeOutcome> {
    const known = SANDBOX_TOKENS.get(token);
    const outcome = known?.outcome ?? UNKNOWN_CARD;
    const { created, entry } = await translateErrors(
      this.ledger.createEntry({ kind: "charged", paymentId, amount, currency, outcome, refunds: [] }),
    );
    if (created && known?.responseLost) throw new GatewayTimeout("the gateway did not answer in time");
    return outcomeOf(entry);
  }

  async chargeOutcome(paymentId: string): Promise<ChargeOutcome | undefined> {
    const found = await translateErrors(this.ledger.findEntry(paymentId));
    return found && outcomeOf(found.entry);
  }

  async cancelCharge(paymentId: string): Promise<ChargeOutcome | { readonly status: "barred" }> {
    const { entry } = await translateErrors(this.ledger.createEntry({ kind: "barred", paymentId }));
    return entry.kind === "charged" ? entry.outcome : { status: "barred" };
  }

  async refund(request: RefundRequest): Promise<void> {
    for (;;) {
      const found = await translateErrors(this.ledger.findEntry(request.paymentId));
      const refunded = withRefund(found?.entry, request);
      if (found === undefined || refunded === found.entry) return;
      if (await translateErrors(this.ledger.updateEntry(refunded, found.version))) return;
    }
  }
}

/** The entry with the refund added; the same entry if it already has the refund. @throws RefundRefused */
function withRefund(
  entry: LedgerEntry | undefined,
  { refundId, amount, currency, paymentId }: RefundRequest,
): ChargedEntry {
  if (entry?.kind !== "charged" || entry.outcome.status !== "succeeded") {
    throw new RefundRefused(`payment ${paymentId} was never charged`);
  }
  if (entry.refunds.some((refund) => refund.refundId === refundId)) return entry;
  if (currency !== entry.currency) {
    throw new RefundRefused(`payment ${paymentId} was charged in ${entry.currency}, not ${currency}`);
  }
  const left = entry.amount - refundedAmount(entry);
  if (amount > left) throw new RefundRefused(`refund ${refundId}: ${amount} cents asked, ${left} left`);
  return { ...entry, refunds: [...entry.refunds, { refundId, amount }] };
}

/** An unreachable ledger counts as a gateway that does not answer: the effect of the call is unknown. */
async function translateErrors<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StateStoreUnavailable)) throw error;
    throw new GatewayTimeout("the gateway did not answer", { cause: error });
  }
}
