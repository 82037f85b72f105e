import type { Rejection } from "@travel-booking/domain";
import { MAX_MULTIPART_OVERHEAD_BYTES } from "@travel-booking/http";
import type { AccountQuota, Grant } from "./account-quota.ts";
import type { Quotas } from "./quotas.ts";

/** The file does not fit into the space that its account has left. */
export class NoSpaceLeft extends Error {
  override readonly name = "NoSpaceLeft";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super("the account's quota of documents is reached");
    this.rejection = rejection;
  }
}

/** What one upload takes of its account's quotas, from its first byte on. */
export interface UploadSpace {
  /** The content, as far as it fits. @throws NoSpaceLeft */
  fitting(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** Ends the grant, when it is known whether the file stays. */
  end(stays: boolean): void;
}

/**
 * @param bodyBytes the size of the request's body, if known. A body that is too large is refused before it is stored.
 * @throws NoSpaceLeft
 */
export async function takeUploadSpace(
  { documents, documentBytes }: Quotas,
  accountId: string,
  bodyBytes: number,
): Promise<UploadSpace> {
  let granted = Math.max(0, bodyBytes - MAX_MULTIPART_OVERHEAD_BYTES);
  let arrived = 0;
  const document = await take(documents, accountId, 1);
  const bytes = await take(documentBytes, accountId, granted).catch((error: unknown) => {
    document.end(0);
    throw error;
  });
  return {
    async *fitting(content) {
      for await (const chunk of content) {
        arrived += chunk.length;
        const more = arrived - granted;
        if (more > 0) {
          if (!(await bytes.extend(more))) throw new NoSpaceLeft(documentBytes.rejection);
          granted += more;
        }
        yield chunk;
      }
    },
    end(stays) {
      document.end(stays ? 1 : 0);
      bytes.end(stays ? arrived : 0);
    },
  };
}

async function take(quota: AccountQuota, accountId: string, amount: number): Promise<Grant> {
  const grant = await quota.take(accountId, amount);
  if (grant === undefined) throw new NoSpaceLeft(quota.rejection);
  return grant;
}
