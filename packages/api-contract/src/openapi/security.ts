import { SCOPES, type Scope } from "@travel-booking/domain";
import type { Operation } from "../operation.ts";
import type { SecurityRequirement } from "./types.ts";

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  "flights:read": "Read destinations, flights and seat maps.",
  "bookings:read": "Read bookings, their history, documents and boarding passes.",
  "bookings:write": "Hold seats; make, change and cancel bookings; upload documents.",
  "passengers:read": "Read saved passengers.",
  "passengers:write": "Save, change and delete passengers.",
  "payments:read": "Read payments.",
  "payments:write": "Pay for bookings and refund payments.",
  "loyalty:read": "Read the loyalty account and its transactions.",
  "loyalty:write": "Redeem points.",
  "events:read": "Read events.",
  "webhooks:read": "Read webhook endpoints and what was delivered to them.",
  "webhooks:write": "Make, try, resume and delete webhook endpoints.",
};

const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_TEXTS[scope]]));

/** How a client says who it is (docs/rules.md#accounts-and-credentials). */
export const securitySchemes = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "An API key. Which scopes it has is decided when it is made.",
  },
  AccessToken: {
    type: "oauth2",
    description:
      "An access token of one hour by the client credentials grant, sent as `Authorization: Bearer <token>`. It is a signed JWT and checked as RFC8725 demands; a client needs to know nothing of what is in it.",
    flows: { clientCredentials: { tokenUrl: "/v1/oauth/token", scopes } },
  },
} as const;

/** Which credentials an operation takes: either, or none at all. A key's scopes are its own and not asked for here. */
export function securityOf({ scope }: Operation): readonly SecurityRequirement[] {
  return scope === null ? [{}] : [{ ApiKey: [] }, { AccessToken: [scope] }];
}
