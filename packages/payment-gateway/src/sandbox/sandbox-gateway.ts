import { type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import {
  type Charge,
  type ChargeEnding,
  type ChargeOutcome,
  type ChargeRequest,
  type GatewayDefinition,
  GatewayTimeout,
  type LedgerCharge,
  type LedgerPage,
  type PaymentGateway,
  type RefundOutcome,
  type RefundRequest,
  type TokenDetails,
} from "../port.ts";
import { type ChargedEntry, type LedgerEntry, refundedAmount, SandboxLedger } from "./ledger.ts";
import { SANDBOX_TOKEN_NAMES, SANDBOX_TOKENS } from "./tokens.ts";

const UNKNOWN_CARD: ChargeOutcome = { status: "failed", failureCode: "incorrect_number" };

function endingOf(entry: LedgerEntry): ChargeEnding {
  return entry.kind === "charged" ? entry.outcome : { status: "barred" };
}

/**
 * A gateway that moves no real money: the token decides the outcome. Its ledger is durable. Like a real gateway, it
 * remembers a charge whose answer was lost. Several instances may share one store.
 */
export class SandboxGateway implements PaymentGateway {
  readonly tokens = `the sandbox has ${SANDBOX_TOKEN_NAMES.join(", ")} and tok_declined_<failureCode>`;
  readonly ledger: SandboxLedger;

  constructor(store: StateStore) {
    this.ledger = new SandboxLedger(store);
  }

  describeToken(token: string, as: "card" | { readonly walletType: string }): TokenDetails | undefined {
    const known = SANDBOX_TOKENS.get(token);
    if (known === undefined) return undefined;
    return as === "card" ? { type: "card", card: known.card } : { type: "wallet", wallet: { type: as.walletType } };
  }

  async charge({ paymentId, amount, currency, token }: ChargeRequest): Promise<ChargeEnding> {
    const known = SANDBOX_TOKENS.get(token);
    const outcome = known?.outcome ?? UNKNOWN_CARD;
    const { created, entry } = await translateErrors(
      this.ledger.createEntry({ kind: "charged", paymentId, amount, currency, outcome, refunds: [] }),
    );
    if (created && known?.responseLost) throw new GatewayTimeout("the gateway did not answer in time");
    return endingOf(entry);
  }

  async chargeOutcome({ paymentId }: Pick<Charge, "paymentId">): Promise<ChargeEnding | undefined> {
    const found = await translateErrors(this.ledger.findEntry(paymentId));
    return found && endingOf(found.entry);
  }

  async cancelCharge({ paymentId }: Pick<Charge, "paymentId">): Promise<ChargeEnding> {
    const { entry } = await translateErrors(this.ledger.createEntry({ kind: "barred", paymentId }));
    return endingOf(entry);
  }

  /** The sandbox keeps no tokens, so this only cancels. */
  finishCharge(charge: Pick<Charge, "paymentId">): Promise<ChargeEnding> {
    return this.cancelCharge(charge);
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    for (;;) {
      const found = await translateErrors(this.ledger.findEntry(request.paymentId));
      const refunded = withRefund(found?.entry, request);
      if (typeof refunded === "string") return { status: "failed", reason: refunded };
      if (found === undefined || refunded === found.entry) return REFUNDED;
      if (await translateErrors(this.ledger.updateEntry(refunded, found.version))) return REFUNDED;
    }
  }

  async refundOutcome({ paymentId, refundId }: RefundRequest): Promise<RefundOutcome | undefined> {
    const entry = (await translateErrors(this.ledger.findEntry(paymentId)))?.entry;
    return entry?.kind === "charged" && hasRefund(entry, refundId) ? REFUNDED : undefined;
  }

  /** Returns every charge, because the ledger keeps no times. */
  async ledgerPage(_since: number, after = ""): Promise<LedgerPage> {
    const entries = await translateErrors(this.ledger.page(after));
    return { charges: entries.flatMap(takenBy), next: entries.at(-1)?.paymentId };
  }
}

export const sandboxGateway: GatewayDefinition = {
  configure:
    () =>
    ({ state }) =>
      new SandboxGateway(state),
};

const REFUNDED: RefundOutcome = { status: "succeeded" };

function takenBy(entry: LedgerEntry): readonly LedgerCharge[] {
  if (entry.kind === "barred" || entry.outcome.status !== "succeeded") return [];
  const { paymentId, amount, currency } = entry;
  const refunds = entry.refunds.map(
    ({ refundId, amount }) => ({ gatewayId: refundId, refundId, amount, status: "succeeded" }) as const,
  );
  const only = { isSecond: false, createdAt: null } as const;
  return [{ gatewayId: paymentId, paymentId, ...only, amount, currency, refunds, disputes: [] }];
}

function hasRefund({ refunds }: ChargedEntry, refundId: string): boolean {
  return refunds.some((refund) => refund.refundId === refundId);
}

/** The entry with the refund added; the same entry if it already has the refund; or the reason of a refusal. */
function withRefund(
  entry: LedgerEntry | undefined,
  { refundId, amount, currency }: RefundRequest,
): ChargedEntry | "charge_not_found" | "currency_mismatch" | "amount_too_large" {
  if (entry?.kind !== "charged" || entry.outcome.status !== "succeeded") return "charge_not_found";
  if (hasRefund(entry, refundId)) return entry;
  if (currency !== entry.currency) return "currency_mismatch";
  if (amount > entry.amount - refundedAmount(entry)) return "amount_too_large";
  return { ...entry, refunds: [...entry.refunds, { refundId, amount }] };
}

/** An unreachable ledger counts as a gateway that does not answer, because the effect of the call is unknown. */
async function translateErrors<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StateStoreUnavailable)) throw error;
    throw new GatewayTimeout("the gateway did not answer", { cause: error });
  }
}
