import type { DrawnDocument } from "@travel-booking/document-reviewer";
import type { ComparedReading, DocumentContentType, LoyaltyRates } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ApiRequest } from "@travel-booking/http";
import type { PaymentGateway } from "@travel-booking/payment-gateway";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, CommandIdGenerator, Logger, SecretKey } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";
import type { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { checkTarget, type TargetCheck, type TargetRules } from "@travel-booking/webhooks/targets";
import type { CommandHandler } from "./command-handling/command-handler.ts";
import type { UploadStore } from "./documents/uploads.ts";
import type { GatewayMonitor } from "./payments/gateway-monitor.ts";
import type { Quotas } from "./quotas/quotas.ts";

/** The services that the command side uses. */
export interface CommandServices {
  readonly handler: CommandHandler;
  readonly gateway: PaymentGateway;
  readonly gatewayMonitor: GatewayMonitor;
  readonly clock: Clock;
  readonly ids: CommandIdGenerator;
  /** Default: the machine's. */
  readonly realTime?: RealTime;
  readonly logger: Logger;
  readonly bankAccount: BankAccount;
  readonly loyaltyRates: LoyaltyRates;
  /** The flight of an active hold, as far as the read models know; undefined if there is none. */
  readonly findFlightOfHold: (holdId: string) => Promise<string | undefined>;
  readonly webhooks: WebhookServices;
  readonly documents: DocumentServices;
  readonly words: SealedWords;
  readonly quotas: Quotas;
  readonly reachedFaultPoint: FaultPoint;
  /** Waits for another system. In a request, this is `ApiRequest.waitUncounted`. */
  readonly waitUncounted: ApiRequest["waitUncounted"];
}

/** The services for one request. While they wait for another system, the request is not counted as in flight. */
export function servicesFor(request: Pick<ApiRequest, "waitUncounted">, services: CommandServices): CommandServices {
  return { ...services, waitUncounted: (wait) => request.waitUncounted(wait) };
}

/** The account that bank transfers are sent to. */
export interface BankAccount {
  readonly iban: string;
  readonly bic: string;
}

/**
 * Called between every two steps of a process. Does nothing, unless a crash test ends the process at that point.
 */
export type FaultPoint = (name: string) => void;

/** The services for commands about travel documents. */
export interface DocumentServices {
  readonly uploads: Pick<
    UploadStore,
    "begin" | "store" | "read" | "complete" | "discard" | "sealAnew" | "listBegunBefore"
  >;
  readonly reviewer: Reviewer;
}

export interface Reviewer {
  /**
   * Reads a document's file and compares it with these names.
   * @throws Error reading took too long or too much memory, or is not possible now.
   */
  read(content: Uint8Array, contentType: DocumentContentType, names: readonly string[]): Promise<ComparedReading>;
  /** Draws pictures of the pages for an operator. Throws as `read` does. */
  draw(content: Uint8Array, contentType: DocumentContentType): Promise<DrawnDocument>;
}

/** The services for commands about webhook endpoints. */
export interface WebhookServices {
  readonly secrets: Pick<WebhookSecrets, "getOrCreate" | "put" | "remove" | "removeAll" | "removeFormerHeaders">;
  readonly deliveries: Pick<EndpointDeliveries, "status" | "resume" | "stop">;
  /** Whether a URL may be called. */
  readonly checkTarget: (url: string) => Promise<TargetCheck>;
}

export interface WebhookServicesOptions {
  readonly state: StateStore;
  readonly secretKey: SecretKey;
  readonly targets: TargetRules;
  readonly deliveries: WebhookServices["deliveries"];
}

export function webhookServices({ state, secretKey, targets, deliveries }: WebhookServicesOptions): WebhookServices {
  return {
    secrets: new WebhookSecrets(state, secretKey),
    deliveries,
    checkTarget: (url) => checkTarget(url, { targets }),
  };
}
