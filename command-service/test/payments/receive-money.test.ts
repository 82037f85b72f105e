import { describe, expect, test } from "@jest/globals";
import type { BankEntry, TransferMatch } from "@travel-booking/domain";
import { systemContext } from "../../src/command-handling/command.ts";
import { receiveMoney } from "../../src/payments/receive-money.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { ADA, party } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

async function started(at?: string) {
  const disk = new ExternalSystems();
  const before = await Service.start(undefined, disk);
  const { body: booking } = await before.book({ passengers: party(1) });
  const { body: payment } = await before.transfer(booking.id);
  const reference = payment.method.bankTransfer?.reference ?? "";
  const match: TransferMatch = {
    accountId: ADA,
    bookingId: booking.id,
    paymentId: payment.id,
    reference,
    currency: "USD",
  };
  await disk.newEvents();
  return { service: new Service(disk, at), match };
}

const entry: BankEntry = { entryId: "e1", amount: 100_000, currency: null };

async function receive({ services }: Service, money: BankEntry, match: TransferMatch | null) {
  const outcome = await receiveMoney(services, money, match, () => systemContext(services));
  return outcome.accepted ? "accepted" : outcome.rejection.code;
}

describe("money on the bank account", () => {
  test("is counted by its booking, once", async () => {
    const { service, match } = await started();
    expect(await receive(service, entry, match)).toBe("accepted");
    expect(await service.systems.newEventTypes()).toStrictEqual([
      "BankEntryMatched",
      "TransferReceived",
      "PaymentSucceeded",
      "BookingConfirmed",
    ]);
    expect(await receive(service, entry, match)).toBe("accepted");
    expect(await receive(service, { ...entry, amount: 1 }, match)).toBe("entry_differs");
    expect(await receive(service, { ...entry, currency: "EUR" }, match)).toBe("entry_differs");
    expect(await receive(service, entry, { ...match, reference: "RF18539007547034" })).toBe("entry_differs");
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("that matches nothing is counted once it is matched", async () => {
    const { service, match } = await started();
    expect(await receive(service, entry, null)).toBe("accepted");
    expect(await receive(service, entry, null)).toBe("accepted");
    expect(await service.systems.newEvents()).toStrictEqual([
      { stream: "bankEntry-e1", type: "BankEntryUnmatched", data: entry },
    ]);
    expect(await receive(service, entry, match)).toBe("accepted");
    expect(await service.systems.newEventTypes()).toStrictEqual([
      "BankEntryMatched",
      "TransferReceived",
      "PaymentSucceeded",
      "BookingConfirmed",
    ]);
  });

  test("of which a crash left the booking without is counted by the next process", async () => {
    const { service, match } = await started("transfer:recorded");
    await expect(receive(service, entry, match)).rejects.toThrow(ProcessCrashed);
    expect(await service.systems.newEventTypes()).toStrictEqual(["BankEntryMatched"]);
    const next = new Service(service.systems);
    await next.runDueTasksUntil(service.systems.clock.now() + 60_000);
    expect(await service.systems.newEventTypes()).toStrictEqual([
      "TransferReceived",
      "PaymentSucceeded",
      "BookingConfirmed",
    ]);
    expect(await receive(next, entry, match)).toBe("accepted");
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });
});
