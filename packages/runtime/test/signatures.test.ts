import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { expect, test } from "@jest/globals";
import { deriveKeys, isSignedBy, TextSigner } from "@travel-booking/runtime";

const PRESENT = "p".repeat(32);
const OTHER = "o".repeat(32);
const signerOf = (secret: Parameters<typeof deriveKeys>[0]) => new TextSigner(deriveKeys(secret, "test"));

test("a text is signed by the key, always alike, and no other text is", () => {
  const signer = signerOf(PRESENT);
  const signature = signer.sign("seat 12A");
  expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/);
  expect(signerOf(PRESENT).sign("seat 12A")).toBe(signature);
  expect(isSignedBy(signer.publicKeys, "seat 12A", signature)).toBe(true);
  expect(isSignedBy(signer.publicKeys, "seat 12B", signature)).toBe(false);
  expect(
    isSignedBy(
      signer.publicKeys,
      "seat 12A",
      signature.replace(/^./, (one) => (one === "A" ? "B" : "A")),
    ),
  ).toBe(false);
  expect(isSignedBy(signer.publicKeys, "seat 12A", "")).toBe(false);
  expect(isSignedBy(signerOf(OTHER).publicKeys, "seat 12A", signature)).toBe(false);
});

test("while the secret is changed, both keys are published and the present one signs", () => {
  const both = signerOf([PRESENT, OTHER]);
  expect(both.publicKeys.keys).toStrictEqual([PRESENT, OTHER].flatMap((one) => signerOf(one).publicKeys.keys));
  expect(both.sign("text")).toBe(signerOf(PRESENT).sign("text"));
  expect(isSignedBy(both.publicKeys, "text", signerOf(OTHER).sign("text"))).toBe(true);
});

test("the key of RFC 8032, section 7.1, test 2", () => {
  const seed = Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex");
  const signer = new TextSigner([seed]);
  const [key] = signer.publicKeys.keys;
  expect(Buffer.from(key?.x ?? "", "base64url").toString("hex")).toBe(
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  );
  expect(Buffer.from(signer.sign("r"), "base64url").toString("hex")).toBe(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
  const anybody = createPublicKey({ key: { ...key } as JsonWebKey, format: "jwk" });
  expect(verify(null, Buffer.from("r"), anybody, Buffer.from(signer.sign("r"), "base64url"))).toBe(true);
});

test("what is no key is said to be none", () => {
  expect(() => isSignedBy({ keys: [{ kty: "OKP" } as never] }, "text", "AA")).toThrow("Invalid JWK");
});
