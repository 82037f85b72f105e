import type { Instant } from "@travel-booking/domain";
import type { WebhookStatusBody } from "../resources/webhook-endpoint.ts";
import { timestamp } from "./timestamp.ts";

export interface WebhookStatus extends Pick<WebhookStatusBody, "status" | "reason" | "owed"> {
  /** Null: since there is the endpoint. */
  readonly since: Instant | null;
  readonly oldestOwedAt: Instant | null;
}

/** How deliveries to an endpoint stand, as the public interface shows it. */
export function webhookStatusBody(
  { status, reason, since, owed, oldestOwedAt }: WebhookStatus,
  registeredAt: Instant,
): WebhookStatusBody {
  return {
    status,
    reason,
    since: timestamp(since ?? registeredAt),
    owed,
    oldestOwedAt: oldestOwedAt === null ? null : timestamp(oldestOwedAt),
  };
}
