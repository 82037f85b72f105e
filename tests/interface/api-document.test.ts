import { describe, expect, test } from "@jest/globals";
import type { Schema } from "@travel-booking/api-contract";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { SCOPES } from "@travel-booking/domain";

const document = openApiDocument({ rateLimited: true });
const { schemas } = document.components;

/** The fields of the resources, copied from section 2 of the API document (docs/conformance.md). A `?` may be absent. */
const RESOURCES: Readonly<Record<string, string>> = {
  PageInfo: "nextCursor hasMore",
  ErrorResponse: "statusCode message error?",
  Destination: "id name system distanceLy gravity climate",
  Flight: "id from destinationId departsAt durationDays fares",
  Fare: "cabin amount currency seatsLeft",
  SeatHold: "id flightId cabin seats status createdAt expiresAt",
  Booking: "id status cabin flightId passengers totalAmount currency documents seats reference? createdAt",
  BookingPassenger: "name email",
  PassengerProfile:
    "id firstName lastName email dateOfBirth nationality passport loyaltyNumber metadata preferences createdAt updatedAt",
  Passport: "number expiresOn issuingCountry",
  TravelPreferences: "seat meal cryosleep",
  TravelDocument: "id kind fileName contentType sizeBytes status rejectionReason uploadedAt",
  Payment:
    "id bookingId status failureCode failureMessage amount amountRefunded currency method metadata refunds createdAt",
  CardMethod: "type card wallet bankTransfer",
  WalletMethod: "type card wallet bankTransfer",
  BankTransferMethod: "type card wallet bankTransfer",
  CardDetails: "brand last4 expMonth expYear",
  BankTransferDetails: "dueAt iban bic reference",
  Refund: "id paymentId amount currency reason status createdAt",
  LoyaltyAccount:
    "id memberNumber memberSince tier pointsBalance pointsPending lifetimePoints pointsExpireOn tierProgress",
  TierProgress: "nextTier pointsToNextTier percent",
  LoyaltyTransaction: "id type points balanceAfter bookingId description createdAt",
  Redemption: "id reward bookingId points status transactionId createdAt",
  WebhookEndpointWithSecret: "id url events secret",
  WebhookEndpoint: "id url events",
  WebhookDelivery: "id endpointId status responseStatus error durationMs deliveredAt signature event",
  BookingChangedEvent: "id type createdAt apiVersion data",
  ChangedBooking: "object previousAttributes",
  Token: "token_type access_token expires_in scope",
  OAuthError: "error error_description",
};

/** Endpoints with the statuses of their own, copied from section 4 of the API document (docs/conformance.md). */
const ENDPOINTS: Readonly<Record<string, string>> = {
  "POST /v1/oauth/token": "200 400 401",
  "GET /v1/destinations": "200",
  "GET /v1/destinations/{id}": "200 404",
  "GET /v1/flights": "200",
  "GET /v1/flights/{id}": "200 404",
  "POST /v1/flights/{id}/seat-holds": "201 404 409 422",
  "POST /v1/bookings": "201 404",
  "GET /v1/bookings": "200",
  "GET /v1/bookings/{id}": "200 404",
  "PATCH /v1/bookings/{id}": "200 404 409 422",
  "POST /v1/bookings/{id}/cancel": "200 404",
  "POST /v1/bookings/{id}/documents": "201 404",
  "GET /v1/bookings/{id}/documents": "200 404",
  "GET /v1/bookings/{id}/boarding-pass": "200 404 409",
  "POST /v1/passengers": "201 409",
  "GET /v1/passengers": "200",
  "GET /v1/passengers/{id}": "200 404",
  "PATCH /v1/passengers/{id}": "200 404 409",
  "DELETE /v1/passengers/{id}": "204 404",
  "POST /v1/bookings/{id}/payments": "201 400 404 409 422",
  "GET /v1/payments/{id}": "200 404",
  "POST /v1/payments/{id}/refunds": "201 404 409 422",
  "GET /v1/loyalty/account": "200",
  "GET /v1/loyalty/transactions": "200",
  "POST /v1/loyalty/redemptions": "201 404 409 422",
  "GET /v1/events/{id}": "200 404",
  "POST /v1/webhook-endpoints": "201",
  "GET /v1/webhook-endpoints": "200",
  "DELETE /v1/webhook-endpoints/{id}": "204 404",
  "POST /v1/webhook-endpoints/{id}/test": "200 404",
};

/** Query parameters of the endpoints that have some, copied in the same way. */
const QUERIES: Readonly<Record<string, string>> = {
  "/v1/destinations": "climate limit cursor",
  "/v1/flights": "departsAfter destinationId limit cursor",
  "/v1/bookings": "limit cursor",
  "/v1/bookings/{id}/boarding-pass": "format passenger",
  "/v1/passengers": "email limit cursor",
  "/v1/loyalty/transactions": "type limit cursor",
};

/** Filters that are additions. */
const ADDED_FILTERS: Readonly<Record<string, string>> = {
  "/v1/flights": "departsBefore from cabin",
  "/v1/bookings": "status flightId reference email passCode createdAfter createdBefore departsAfter departsBefore",
};

/** Words the API document names of each enumeration. */
const WORDS: readonly (readonly [schema: string, field: string, words: string])[] = [
  ["Fare", "cabin", "economy"],
  ["SeatHold", "status", "active"],
  ["Booking", "status", "confirmed cancelled"],
  ["TravelPreferences", "seat", "window"],
  ["TravelPreferences", "meal", "vegetarian"],
  ["TravelDocument", "kind", "passport"],
  ["TravelDocument", "contentType", "application/pdf image/png image/jpeg"],
  ["TravelDocument", "status", "verified rejected"],
  ["Payment", "status", "succeeded failed pending"],
  ["Refund", "status", "succeeded pending"],
  ["LoyaltyAccount", "tier", "voyager pioneer admiral"],
  ["LoyaltyTransaction", "type", "earn redeem expire adjust"],
  ["Redemption", "status", "completed"],
  ["CreateRedemption", "reward", "cabin_upgrade booking_credit extra_baggage lounge_access"],
  ["WebhookDelivery", "status", "succeeded"],
  ["OAuthError", "error", "invalid_client"],
];

function enumOf(schema: Schema | undefined): readonly unknown[] {
  if (schema?.$ref !== undefined) return enumOf(schemas[schema.$ref.split("/").at(-1) ?? ""]);
  return schema?.enum ?? (schema?.const === undefined ? [] : [schema.const]);
}

describe("the published interface has what the API document has", () => {
  test.each(Object.entries(RESOURCES))("%s: its fields, and no others", (name, fields) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    const published = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`));
    expect(published.sort()).toStrictEqual(fields.split(" ").sort());
  });

  test.each(Object.entries(ENDPOINTS))("%s: its statuses", (endpoint, own) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const published = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
    const common = path === "/v1/oauth/token" ? ["429", "500"] : ["400", "401", "403", "429", "500"];
    expect(published).toStrictEqual(expect.arrayContaining([...own.split(" "), ...common]));
  });

  test.each(Object.entries(QUERIES))("GET %s: its query parameters, and additions", (path, names) => {
    const published = document.paths[path]?.get?.parameters.flatMap((parameter) =>
      "name" in parameter && parameter.in === "query" ? [parameter.name] : [],
    );
    const all = [names, ADDED_FILTERS[path] ?? []].flat().join(" ").split(" ");
    expect(published?.sort()).toStrictEqual(all.sort());
  });

  test.each(WORDS)("%s.%s: the words %s", (schema, field, words) => {
    expect(enumOf(schemas[schema]?.properties?.[field] as Schema | undefined)).toStrictEqual(
      expect.arrayContaining(words.split(" ")),
    );
  });

  test("its limits", () => {
    const { CreatePayment, CreateSeatHold, PayByCard } = schemas;
    expect(CreatePayment?.oneOf).toHaveLength(3);
    expect(PayByCard?.properties?.metadata).toMatchObject({ maxProperties: 20 });
    expect(schemas.CreatePassenger?.properties?.metadata).toMatchObject({ maxProperties: 20 });
    expect(CreateSeatHold?.properties?.seats).toMatchObject({ minItems: 1, maxItems: 9 });
    const parameters = document.paths["/v1/bookings"]?.get?.parameters ?? [];
    const limit = parameters.find((parameter) => "name" in parameter && parameter.name === "limit");
    expect(limit).toMatchObject({ schema: { minimum: 1, maximum: 100, default: 20 } });
  });

  test("both ways to say who asks, with every scope", () => {
    const { ApiKey, AccessToken } = document.components.securitySchemes;
    expect(ApiKey).toMatchObject({ type: "apiKey", in: "header", name: "x-api-key" });
    expect(AccessToken).toMatchObject({
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "/v1/oauth/token" } },
    });
    expect(document.paths["/v1/flights"]?.get?.security).toStrictEqual([
      { ApiKey: [] },
      { AccessToken: ["flights:read"] },
    ]);
    const flows = AccessToken?.flows as { clientCredentials: { scopes: object } } | undefined;
    expect(Object.keys(flows?.clientCredentials.scopes ?? {})).toStrictEqual([...SCOPES]);
  });
});
