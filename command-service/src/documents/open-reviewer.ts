import { findIsolation, ReviewerPool, startReader } from "@travel-booking/document-reviewer";
import { connectTo } from "@travel-booking/runtime/stream-address";
import type { ServiceContext } from "@travel-booking/service-host";

/** Uses the reader of the settings, else processes that start on demand, isolated from the machine if possible. */
export function openReviewer({ settings, logger, unusual }: Pick<ServiceContext, "settings" | "logger" | "unusual">) {
  const { documentReaderUrl } = settings;
  if (documentReaderUrl !== undefined) return new ReviewerPool({ connect: () => connectTo(documentReaderUrl) });
  // Isolation is tested while the start goes on.
  const isolation = findIsolation();
  unusual.push(
    isolation.then(
      ({ shared }) =>
        shared &&
        `documents are read by processes with the service's ${shared}: util-linux or this machine allows no less`,
    ),
  );
  return new ReviewerPool({ connect: async () => startReader({ isolation: await isolation, logger }) });
}
