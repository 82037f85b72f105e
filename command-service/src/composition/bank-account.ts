import type { BankAccount } from "../services.ts";

/** Where the sandbox wants bank transfers to go: an account that exists in the specification of IBANs only. */
export const BANK_ACCOUNT: BankAccount = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
