import type { Books, Charge, Dispute } from "./books.ts";

export function createDispute(books: Books, charge: Charge, reason: string): Dispute {
  const dispute: Dispute = {
    id: books.newId("dp"),
    object: "dispute",
    amount: charge.amount,
    charge: charge.id,
    created: books.clock.seconds(),
    currency: charge.currency,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: "needs_response",
  };
  charge.disputed = true;
  books.disputes.set(dispute.id, dispute);
  books.emit("charge.dispute.created", dispute);
  return dispute;
}
