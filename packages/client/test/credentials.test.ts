import { expect, test } from "@jest/globals";
import { CURRENT_API_VERSION } from "@travel-booking/api-contract";
import { AuthenticationError, serviceVersion } from "../src/index.ts";
import { type Answer, ScriptedService } from "./support/scripted-service.ts";

const CLIENT = { apiKey: undefined as never, clientId: "id", clientSecret: "secret" };

const token = (value: string, expires_in = 3600): Answer => ({
  status: 200,
  body: { token_type: "Bearer", access_token: value, expires_in, scope: "" },
});
const ok: Answer = { status: 200, body: {} };
const refused: Answer = { status: 401, body: { statusCode: 401, message: "no" } };

async function start(...answers: Answer[]) {
  const service = await ScriptedService.start(...answers);
  const { apiKey: _, ...options } = { ...CLIENT, baseUrl: service.baseUrl };
  const { TravelBooking } = await import("../src/index.ts");
  const sent = () =>
    service.received.map(({ url, headers }) => (url === "/v1/oauth/token" ? "token" : headers.authorization));
  return { service, sent, client: new TravelBooking(options) };
}

test("an API key goes along", async () => {
  const service = await ScriptedService.start(ok);
  await service.client({ apiKey: "tb_1" }).loyalty.account();
  expect(service.received[0]?.headers["x-api-key"]).toBe("tb_1");
});

test("every request asks for the version of the API that the client is made for", async () => {
  const { service, client } = await start(token("a"), ok);
  await client.loyalty.account();
  expect(service.received.map(({ headers }) => headers["service-version"])).toStrictEqual([
    serviceVersion,
    serviceVersion,
  ]);
  expect(serviceVersion).toBe(CURRENT_API_VERSION);
});

test("a token is fetched when it is needed, once for all who need it", async () => {
  const { service, sent, client } = await start(token("a"), ok);
  expect(sent()).toStrictEqual([]);
  await Promise.all([client.loyalty.account(), client.flights.retrieve("f"), client.flights.seatMap("f")]);
  await client.loyalty.account();
  expect(sent()).toStrictEqual(["token", "Bearer a", "Bearer a", "Bearer a", "Bearer a"]);
  const [asked] = service.received;
  expect(asked?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
  expect(asked?.body).toBe("grant_type=client_credentials&client_id=id&client_secret=secret");
  expect(asked?.headers["idempotency-key"]).toBeUndefined();
});

test("it is renewed before it expires", async () => {
  const { sent, client } = await start(token("a", 0), ok, token("b"), ok, ok);
  for (let calls = 0; calls < 3; calls += 1) await client.loyalty.account();
  expect(sent()).toStrictEqual(["token", "Bearer a", "token", "Bearer b", "Bearer b"]);
});

test("it is renewed after a 401, once per call", async () => {
  const { sent, client } = await start(token("a"), refused, token("b"), ok, refused, token("c"), refused);
  await client.loyalty.account();
  expect(sent()).toStrictEqual(["token", "Bearer a", "token", "Bearer b"]);
  await expect(client.loyalty.account()).rejects.toBeInstanceOf(AuthenticationError);
  expect(sent().slice(4)).toStrictEqual(["Bearer b", "token", "Bearer c"]);
});

test("tokens that somebody else hands out are kept and renewed alike", async () => {
  const service = await ScriptedService.start(ok, ok, refused, ok);
  const tokens = ["a", "b"].map((access_token) => ({ access_token, expires_in: 3600 }));
  const { TravelBooking } = await import("../src/index.ts");
  const accessToken = async () => tokens.shift() ?? Promise.reject(new Error("no more"));
  const client = new TravelBooking({ baseUrl: service.baseUrl, accessToken });
  for (let calls = 0; calls < 3; calls += 1) await client.loyalty.account();
  expect(service.received.map(({ headers }) => headers.authorization)).toStrictEqual([
    "Bearer a",
    "Bearer a",
    "Bearer a",
    "Bearer b",
  ]);
});

test("a wrong secret is an error with OAuth's code, and nothing is kept of it", async () => {
  const wrong = { status: 401, body: { error: "invalid_client", error_description: "the secret is wrong" } };
  const { client } = await start(wrong, token("a"), ok);
  const failed = client.loyalty.account();
  await expect(failed).rejects.toMatchObject({ code: "invalid_client", message: "the secret is wrong" });
  await expect(client.loyalty.account()).resolves.toStrictEqual({});
});

test("a token endpoint that is busy is asked again", async () => {
  const busy = { status: 503, headers: { "retry-after": "0" }, body: { statusCode: 503, message: "later" } };
  const { sent, client } = await start(busy, token("a"), ok);
  await client.loyalty.account();
  expect(sent()).toStrictEqual(["token", "token", "Bearer a"]);
});

test("whoever stops waiting for a token leaves it to the others", async () => {
  const answers: (() => void)[] = [];
  const slow: Answer = (response) => {
    answers.push(() => response.end(JSON.stringify({ access_token: "a", expires_in: 3600 })));
  };
  const { client } = await start(slow, ok);
  const stop = new AbortController();
  const [stopped, other] = [client.loyalty.account({ signal: stop.signal }), client.loyalty.account()];
  while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  answers[0]?.();
  await expect(other).resolves.toStrictEqual({});
});
