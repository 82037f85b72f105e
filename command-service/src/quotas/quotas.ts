import type { EventStore } from "@travel-booking/engines/event-store";
import type { ReadModels } from "@travel-booking/engines/read-store";
import {
  BOOKINGS,
  type DocumentUsage,
  FLIGHTS,
  PASSENGERS,
  type ProjectionProgress,
  timeSortKey,
} from "@travel-booking/read-models";
import type { Clock, Settings } from "@travel-booking/runtime";
import { AccountQuota } from "./account-quota.ts";

/** What one account may take (docs/rules.md#quotas). */
export interface Quotas {
  /** The share of the seats of a flight's cabin; 100: no bound. */
  readonly unpaidSeatsPercent: number;
  readonly openHolds: AccountQuota;
  readonly passengers: AccountQuota;
  readonly documents: AccountQuota;
  readonly documentBytes: AccountQuota;
}

interface QuotasOptions {
  readonly settings: QuotaSettings;
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "waitUntil">;
  readonly events: Pick<EventStore, "head">;
  /** True: no other process writes. */
  readonly soleWriter: boolean;
  readonly clock: Clock;
}

export type QuotaSettings = Pick<
  Settings,
  "quotaUnpaidSeatsPercent" | "quotaOpenHolds" | "quotaPassengers" | "quotaDocuments" | "quotaDocumentsMb"
>;

/** Real time that a count waits for the read models. Then it uses what they have. */
const CAUGHT_UP_WITHIN_MS = 5_000;
const MEGABYTE = 1_024 * 1_024;

export function quotas({ settings, models, progress, events, soleWriter, clock }: QuotasOptions): Quotas {
  const quota = (
    name: string,
    most: number,
    { projection }: { readonly projection: string },
    count: (accountId: string) => Promise<number>,
  ) =>
    new AccountQuota({
      name,
      most,
      count,
      caughtUp: async () => progress.waitUntil(projection, await events.head(), CAUGHT_UP_WITHIN_MS),
      soleWriter,
    });
  const usage = async (accountId: string) => {
    const document = await models.document(BOOKINGS.documentUsage.model, accountId);
    return (document?.state ?? { documents: 0, bytes: 0 }) as DocumentUsage;
  };
  const { quotaOpenHolds, quotaPassengers, quotaDocuments, quotaDocumentsMb } = settings;
  return {
    unpaidSeatsPercent: settings.quotaUnpaidSeatsPercent,
    openHolds: quota("open_holds", quotaOpenHolds, FLIGHTS, (partition) => {
      const { model, byAccount: index } = FLIGHTS.hold;
      const from = timeSortKey(clock.now() + 1);
      return models.count(model, { index, partition, from, limit: quotaOpenHolds });
    }),
    passengers: quota("passengers", quotaPassengers, PASSENGERS, (partition) => {
      const { model, byAccount: index } = PASSENGERS.passenger;
      return models.count(model, { index, partition, limit: quotaPassengers });
    }),
    documents: quota("documents", quotaDocuments, BOOKINGS, async (accountId) => (await usage(accountId)).documents),
    documentBytes: quota(
      "document_bytes",
      quotaDocumentsMb * MEGABYTE,
      BOOKINGS,
      async (accountId) => (await usage(accountId)).bytes,
    ),
  };
}
