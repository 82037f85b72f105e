import { expect, test } from "@jest/globals";
import { sign, signingKeys } from "../../src/index.ts";

const NOW = 1_614_265_330_999;

test("Service-Signature is lower-case hex HMAC-SHA256 under the whole secret (RFC 4231, test case 2)", () => {
  const { signature, headers } = sign(signingKeys("Jefe"), "evt_1", Buffer.from("what do ya want for nothing?"), NOW);
  expect(signature).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  expect(headers["Service-Signature"]).toBe(signature);
});

test("the Standard Webhooks headers are those of the specification's example", () => {
  const keys = signingKeys("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const { headers } = sign(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", Buffer.from('{"test": 2432232314}'), NOW);
  expect(headers).toMatchObject({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});
