import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { distinctIds } from "@travel-booking/webhooks/receiver/testing";
import { comparable } from "../load/acknowledged.ts";

/** What does not add up, each in a line for people. */
export type Findings = readonly string[];

/** What was acknowledged and is not there, or is there otherwise. */
export function lost(acknowledged: ReadonlyMap<string, object>, found: ReadonlyMap<string, object>): Findings {
  return [...acknowledged].flatMap(([id, told]) => {
    const there = found.get(id);
    if (there === undefined) return [`${id} was acknowledged and is not there`];
    const [is, was] = [comparable(there), comparable(told)];
    return is === was ? [] : [`${id} is ${is}, and was acknowledged as ${was}`];
  });
}

/** Of bookings and payments as they are read, against what the gateway has in its books. Cents. */
export function moneyAstray(
  bookings: readonly BookingBody[],
  payments: readonly PaymentBody[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): Findings {
  const atGateway = payments
    .filter(({ method }) => method.bankTransfer === null)
    .flatMap(({ id, status, amount, amountRefunded }) => {
      const entry = ledger.get(id);
      const charged = entry?.kind === "charged" && entry.outcome.status === "succeeded" ? entry : undefined;
      const returned = charged?.refunds.reduce((sum, refund) => sum + refund.amount, 0) ?? 0;
      const paid = status === "succeeded" ? amount : 0;
      const found = [];
      if ((charged?.amount ?? 0) !== paid) found.push(`${id}: ${charged?.amount ?? 0} charged, ${paid} paid`);
      if (returned !== amountRefunded) found.push(`${id}: ${returned} returned, ${amountRefunded} refunded`);
      return found;
    });
  const succeeded = Map.groupBy(
    payments.filter(({ status }) => status === "succeeded"),
    ({ bookingId }) => bookingId,
  );
  const ofBookings = bookings.flatMap(({ id, status, totalAmount }) => {
    const amounts = (succeeded.get(id) ?? []).map(({ amount }) => amount);
    const kept = (succeeded.get(id) ?? []).reduce((sum, one) => sum + one.amount - one.amountRefunded, 0);
    if (status === "confirmed" && totalAmount > 0 && amounts.join() !== String(totalAmount)) {
      return [`${id} is confirmed for ${totalAmount}, and paid with ${amounts.join(" and ") || "nothing"}`];
    }
    if (status === "pending" && amounts.length > 0) return [`${id} is pending, and paid with ${amounts.join(" and ")}`];
    return status === "cancelled" && kept !== 0 ? [`${id} is cancelled, and ${kept} of it were kept`] : [];
  });
  return [...atGateway, ...ofBookings];
}

/** Ids by booking, in their order: what an endpoint should have been told, and what it was. */
export function undelivered(
  name: string,
  expected: ReadonlyMap<string, readonly string[]>,
  heard: ReadonlyMap<string, readonly string[]>,
): Findings {
  const missing = [...expected].flatMap(([bookingId, ids]) => {
    const told = distinctIds(heard.get(bookingId) ?? []);
    return told.join() === ids.join() ? [] : [`${name}: of ${bookingId} it was told ${told} instead of ${ids}`];
  });
  const invented = [...heard.keys()].filter((bookingId) => !expected.has(bookingId));
  return [...missing, ...invented.map((bookingId) => `${name}: it was told of ${bookingId}, which has no events`)];
}

/** Between the read models as they were, and as the log alone makes them. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Findings {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} is not what a rebuild makes of it: ${before.get(name)} instead of ${after.get(name)}`);
}
