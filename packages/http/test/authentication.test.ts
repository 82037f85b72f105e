import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  AccessTokens,
  generateApiKey,
  generateClientSecret,
  hashSecret,
  looksLikeApiKey,
  matchesSecretHash,
} from "@travel-booking/http";
import type { DerivedKeys } from "@travel-booking/runtime";
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { NOW, type Service, startService } from "./support/service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe.each([false, true])("with a directory that returns promises: %s", (later) => {
  beforeEach(() => {
    service.directory.later = later;
  });

  test("an API key identifies the caller", async () => {
    const answer = await service.get("/v1/things/1");
    const { accountId, credentialId, scopes } = service.key;
    expect(answer.body.caller).toStrictEqual({
      accountId,
      credentialId,
      scopes: [...scopes],
      apiVersion: "2026-11-01",
    });
  });

  test("an API key as an access token is refused, and told where it belongs", async () => {
    const { apiKey } = service.key;
    const answer = await service.get("/v1/things/1", bearer(apiKey));
    expect([answer.status, answer.headers.get("service-error-code")]).toStrictEqual([401, "api_key_as_bearer"]);
    expect(answer.body.message).toBe("An API key is sent as x-api-key, not as Authorization: Bearer.");
    expect(answer.text).not.toContain(apiKey);
    const near = await service.get("/v1/things/1", bearer(apiKey.slice(0, -1)));
    expect(near.headers.get("service-error-code")).toBe("invalid_access_token");
  });

  test("an access token has its own scopes, at most the present ones of its client", async () => {
    const { client } = service;
    const token = await service.tokens.issue(client.clientId, ["flights:read", "bookings:read"]);
    const caller = async () => (await service.get("/v1/things/1", bearer(token))).body.caller;
    expect(await caller()).toStrictEqual({
      accountId: client.accountId,
      credentialId: client.credentialId,
      scopes: ["flights:read", "bookings:read"],
      apiVersion: "2026-11-01",
    });
    client.scopes = new Set(["flights:read", "payments:read"]);
    expect((await caller()).scopes).toStrictEqual(["flights:read"]);
  });

  test("a revoked credential is refused from the next request on", async () => {
    const token = await service.tokens.issue(service.client.clientId, ["flights:read"]);
    expect((await service.get("/v1/things/1", bearer(token))).status).toBe(200);
    expect((await service.get("/v1/things/1")).status).toBe(200);
    service.client.credentialActive = false;
    service.key.credentialActive = false;
    expect((await service.get("/v1/things/1", bearer(token))).status).toBe(401);
    expect((await service.get("/v1/things/1")).status).toBe(401);
  });

  test("a suspended account is refused with 403", async () => {
    service.key.accountActive = false;
    const answer = await service.get("/v1/things/1");
    expect(answer.body).toStrictEqual({ statusCode: 403, message: "The account is suspended.", error: "Forbidden" });
  });
});

describe("not a credential", () => {
  const realm = 'Bearer realm="travel-booking-service"';
  test("nothing", async () => {
    const answer = await service.send("GET", "/v1/things/1", { anonymous: true });
    expect([answer.status, answer.headers.get("www-authenticate"), answer.body.error]).toStrictEqual([
      401,
      realm,
      "Unauthorized",
    ]);
  });

  test.each(["", "x", "tbs_live_", generateApiKey(), `${generateApiKey()}x`, generateClientSecret()])(
    "a key like %s",
    async (key) => {
      const answer = await service.get("/v1/things/1", { "x-api-key": key });
      expect([answer.status, answer.headers.get("www-authenticate")]).toStrictEqual([401, realm]);
    },
  );

  test.each(["Bearer", "Bearer x y", "Basic eDp5", "Bearer a.b.c", "nonsense"])(
    "an Authorization like %s",
    async (authorization) => {
      const answer = await service.get("/v1/things/1", { authorization });
      expect([answer.status, answer.headers.get("www-authenticate")]).toStrictEqual([
        401,
        `${realm}, error="invalid_token"`,
      ]);
    },
  );

  test("an API key as a token, and a key with one character changed", async () => {
    const { apiKey } = service.key;
    expect((await service.get("/v1/things/1", bearer(apiKey))).status).toBe(401);
    const changed = apiKey.slice(0, 20) + (apiKey[20] === "a" ? "b" : "a") + apiKey.slice(21);
    expect((await service.get("/v1/things/1", { "x-api-key": changed })).status).toBe(401);
  });

  test("two at once", async () => {
    const token = await service.tokens.issue(service.client.clientId, ["flights:read"]);
    const answer = await service.get("/v1/things/1", { ...bearer(token), "x-api-key": service.key.apiKey });
    expect([answer.status, answer.headers.get("www-authenticate")]).toStrictEqual([
      400,
      `${realm}, error="invalid_request"`,
    ]);
  });
});

describe("an access token", () => {
  const key = new Uint8Array(32).fill(7);
  const good = (header: { alg: string; typ?: string; kid?: string } = { alg: "HS256", typ: "at+jwt" }) =>
    new SignJWT({ client_id: service.client.clientId, scope: "flights:read" })
      .setProtectedHeader(header)
      .setIssuer("travel-booking-service")
      .setAudience("travel-booking-service")
      .setSubject(service.client.clientId)
      .setJti("1")
      .setIssuedAt(NOW / 1_000)
      .setExpirationTime(Math.floor(NOW / 1_000) + 10);
  const status = async (token: string) => (await service.get("/v1/things/1", bearer(token))).status;

  test("has the claims of RFC 9068 and lives one hour by the service's clock", async () => {
    const token = await service.tokens.issue(service.client.clientId, ["flights:read"]);
    const iat = Math.floor(NOW / 1_000);
    const { jti, ...claims } = decodeJwt(token);
    expect(claims).toStrictEqual({
      client_id: service.client.clientId,
      scope: "flights:read",
      iss: "travel-booking-service",
      aud: "travel-booking-service",
      sub: service.client.clientId,
      iat,
      exp: iat + 3_600,
    });
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(decodeProtectedHeader(token)).toStrictEqual({ alg: "HS256", typ: "at+jwt" });
    expect(await status(token)).toBe(200);
    service.clock.advance(3_599_000);
    expect(await status(token)).toBe(200);
    service.clock.advance(1_000);
    expect(await status(token)).toBe(401);
    const other = new AccessTokens({
      keys: [key],
      keyInUse: async () => ({ index: 0, since: 0 }),
      clock: service.clock,
    });
    expect(await other.verify(token)).toBe(undefined);
  });

  test("is refused if it lives longer than an hour, or is from the future", async () => {
    const now = Math.floor(NOW / 1_000);
    const from = async (issued: number, expires: number) =>
      status(
        await good()
          .setIssuedAt(now + issued)
          .setExpirationTime(now + expires)
          .sign(key),
      );
    expect([await from(0, 3_600), await from(-3_599, 1), await from(60, 3_660)]).toStrictEqual([200, 200, 200]);
    expect([await from(0, 3_601), await from(-3_600, 1), await from(0, 1_500_000_000)]).toStrictEqual([401, 401, 401]);
    expect([await from(61, 3_600), await from(-1_500_000_000, 10)]).toStrictEqual([401, 401]);
    for (const iat of [null, "0", {}, 1e308, -1e308]) {
      const claims = { client_id: service.client.clientId, scope: "flights:read", iat: iat as number };
      const odd = new SignJWT({ ...decodeJwt(await good().sign(key)), ...claims }).setProtectedHeader({
        alg: "HS256",
        typ: "at+jwt",
      });
      expect([iat, await status(await odd.sign(key))]).toStrictEqual([iat, 401]);
    }
  });

  describe("while SECRET_KEY is being changed", () => {
    const [present, previous, third] = [8, 7, 9].map((byte) => new Uint8Array(32).fill(byte)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    /** When an instance first started with the present one. */
    const SINCE = NOW - 600_000;
    const forged = (secret: Uint8Array, issued: number, lives = 3_600) => {
      const at = Math.floor(issued / 1_000);
      return good()
        .setIssuedAt(at)
        .setExpirationTime(at + lives)
        .sign(secret);
    };
    const instance = (keys: DerivedKeys, index: number) =>
      new AccessTokens({ keys, keyInUse: async () => ({ index, since: SINCE }), clock: service.clock });
    const isGood = async (tokens: AccessTokens, token: string) => (await tokens.verify(token)) !== undefined;

    test.each([
      ["that has changed", [present, previous], 0],
      ["that has not been started again", [previous, present], 1],
    ] as const)("an instance %s takes nothing that the one before has signed since", async (_, keys, index) => {
      const tokens = instance(keys, index);
      expect(await isGood(tokens, await forged(present, NOW))).toBe(true);
      expect(await isGood(tokens, await forged(previous, SINCE))).toBe(true);
      for (const issued of [SINCE + 1_000, NOW, NOW + 60_000]) {
        expect(await isGood(tokens, await forged(previous, issued))).toBe(false);
      }
      expect(await isGood(tokens, await forged(previous, SINCE, 3_601))).toBe(false);
      expect(await isGood(tokens, await forged(third, SINCE))).toBe(false);
      // An hour after the change nothing is left.
      const before = await forged(previous, SINCE);
      expect(await isGood(tokens, before)).toBe(true);
      service.clock.set(SINCE + 3_600_000);
      expect(await isGood(tokens, before)).toBe(false);
      expect(await isGood(tokens, await forged(previous, SINCE))).toBe(false);
      expect(await isGood(tokens, await forged(present, SINCE + 3_600_000))).toBe(true);
    });

    test("all instances sign with the one in use, whichever they have first", async () => {
      const [changed, late] = [instance([present, previous], 0), instance([previous, present], 1)];
      for (const issuer of [changed, late]) {
        const token = await issuer.issue(service.client.clientId, ["flights:read"]);
        expect([await isGood(changed, token), await isGood(late, token)]).toStrictEqual([true, true]);
        expect(await isGood(instance([present], 0), token)).toBe(true);
        expect(await isGood(instance([previous], 0), token)).toBe(false);
      }
    });

    test("an instance whose keys are both retired takes what they signed before", async () => {
      const tokens = instance([previous, third], -1);
      for (const key of [previous, third]) {
        expect(await isGood(tokens, await forged(key, SINCE))).toBe(true);
        expect(await isGood(tokens, await forged(key, NOW))).toBe(false);
      }
    });
  });

  test("is refused if any part of it is wrong", async () => {
    expect(await status(await good().sign(key))).toBe(200);
    expect(await status(await good().sign(new Uint8Array(32).fill(8)))).toBe(401);
    expect(await status(await good().setIssuer("x").sign(key))).toBe(401);
    expect(await status(await good().setAudience("x").sign(key))).toBe(401);
    expect(await status(await good({ alg: "HS256" }).sign(key))).toBe(401);
    expect(await status(await good({ alg: "HS256", typ: "at+jwt", kid: "1" }).sign(key))).toBe(401);
    expect(await status(await good({ alg: "HS512", typ: "at+jwt" }).sign(new Uint8Array(64).fill(7)))).toBe(401);
    expect(await status(new UnsecuredJWT({ client_id: service.client.clientId, scope: "flights:read" }).encode())).toBe(
      401,
    );
    const [head, , signature] = (await good().sign(key)).split(".");
    const [, forged] = (await good().setSubject("x").sign(key)).split(".");
    expect(await status(`${head}.${forged}.${signature}`)).toBe(401);
    const unknown = await service.tokens.issue("nobody", ["flights:read"]);
    expect(await status(unknown)).toBe(401);
  });
});

test("a token is good in one spelling only", async () => {
  const token = await service.tokens.issue(service.client.clientId, ["flights:read"]);
  const [header, payload, signature = ""] = token.split(".");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // 32 bytes leave two bits of the last character unused.
  const others = [1, 2, 3].map((bits) => {
    const last = alphabet[alphabet.indexOf(signature.slice(-1)) | bits] as string;
    return `${header}.${payload}.${signature.slice(0, -1)}${last}`;
  });
  others.push(`${token}=`, token.replaceAll("-", "+").replaceAll("_", "/").concat("="));
  for (const other of others) {
    expect(other).not.toBe(token);
    expect((await service.get("/v1/things/1", bearer(other))).status).toBe(401);
  }
  expect((await service.get("/v1/things/1", bearer(token))).status).toBe(200);
});

test("a missing scope is named", async () => {
  const { key } = service.directory.add(["bookings:read"]);
  const answer = await service.get("/v1/things/1", { "x-api-key": key.apiKey });
  expect(answer.body).toStrictEqual({
    statusCode: 403,
    message: "The credential lacks the scope flights:read.",
    error: "Forbidden",
  });
  expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="flights:read"');
});

test("write does not imply read, nor the other way round", async () => {
  const reader = { "x-api-key": service.directory.add(["flights:read"]).key.apiKey };
  const writer = { "x-api-key": service.directory.add(["bookings:write"]).key.apiKey };
  expect((await service.get("/v1/things/1", reader)).status).toBe(200);
  expect((await service.post("/v1/things", { name: "a" }, reader)).status).toBe(403);
  expect((await service.get("/v1/things/1", writer)).status).toBe(403);
  expect((await service.post("/v1/things", { name: "a" }, writer)).status).toBe(200);
});

test("the API version is the account's or the requested one, and is echoed", async () => {
  const answer = await service.get("/v1/things/1");
  expect(answer.headers.get("service-version")).toBe("2026-11-01");
  const asked = await service.get("/v1/things/1", { "service-version": "2026-11-01" });
  expect([asked.status, asked.headers.get("service-version")]).toStrictEqual([200, "2026-11-01"]);
  for (const version of ["2026-11-02", "", "latest"]) {
    const unknown = await service.get("/v1/things/1", { "service-version": version });
    expect(unknown.body).toStrictEqual({
      statusCode: 400,
      message: ["Service-Version must be one of 2026-11-01"],
      error: "Bad Request",
    });
  }
});

test("secrets are random, have a checksum, and are stored as a hash", () => {
  const key = generateApiKey();
  expect(key).toMatch(/^tbs_live_[0-9A-Za-z]{36}$/);
  expect(looksLikeApiKey(key)).toBe(true);
  expect(looksLikeApiKey(key.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).toBe(false);
  expect(new Set(Array.from({ length: 100 }, generateApiKey)).size).toBe(100);
  expect(hashSecret("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  expect(matchesSecretHash("abc", hashSecret("abc"))).toBe(true);
  expect(matchesSecretHash("abd", hashSecret("abc"))).toBe(false);
  expect(matchesSecretHash("abc", "short")).toBe(false);
});
