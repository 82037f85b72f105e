import { findIsolation, ReviewerPool } from "@travel-booking/document-reviewer";

const NOT_APART =
  "documents are read by processes with the service's user and network: util-linux or this machine allows no namespaces";

/** What reads documents, apart from the rest of the machine where that can be had. @param unusual is told where it can't. */
export async function openReviewer({ unusual }: { readonly unusual: string[] }): Promise<ReviewerPool> {
  const isolation = await findIsolation();
  if (isolation.length === 0) unusual.push(NOT_APART);
  return new ReviewerPool({ isolation });
}
