import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { barCodedBoardingPass } from "@travel-booking/domain";
import { TextSigner } from "@travel-booking/runtime";
import { capturedRun } from "./captured-run.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "operator-cli-passes-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const signer = new TextSigner([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]);
const leg = {
  bookingId: "bkg_019b0000deadbeef0123456789abcdef",
  passengerName: "Ada Lovelace",
  flightId: "KP442-20270301",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: Date.UTC(2027, 2, 1, 9),
  cabin: "economy",
  seat: "14C",
  sequence: 25,
  memberNumber: null,
  documentsChecked: true,
} as const;
const passSignedBy = (by: TextSigner) =>
  barCodedBoardingPass(leg, { romanize: (text) => text, sign: (text) => by.sign(text) });
const PASS = passSignedBy(signer);

function fileOf(content: unknown): string {
  const file = path.join(folder, `${fs.readdirSync(folder).length}.json`);
  fs.writeFileSync(file, JSON.stringify(content));
  return file;
}
const KEYS = fileOf(signer.publicKeys);

/** No service is there to be asked. */
const verify = (barcode: string, keys = KEYS) => capturedRun(["pass", "verify", barcode, keys, "--json"], { env: {} });

describe("pass verify", () => {
  test("a pass is genuine, under any of the keys, and what it says is shown", async () => {
    const { exitCode, stdout, stderr } = await verify(PASS);
    expect([exitCode, stderr]).toStrictEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      signature: "valid",
      name: "LOVELACE/ADA",
      flight: "KP 0442",
      seat: "14C",
    });
    const before = passSignedBy(new TextSigner([new Uint8Array(32).fill(2)]));
    expect((await verify(before)).exitCode).toBe(0);
  });

  test.each([
    ["seat", PASS.replace("014C", "001A")],
    ["name", PASS.replace("LOVELACE/ADA  ", "LOVELACE/BYRON")],
    ["booking's code", PASS.slice(0, 23) + PASS.slice(23, 29).split("").reverse().join("") + PASS.slice(29)],
    ["signature", PASS.slice(0, -2) + (PASS.at(-2) === "A" ? "B" : "A") + PASS.at(-1)],
    ["signer", passSignedBy(new TextSigner([new Uint8Array(32).fill(3)]))],
  ])("another %s is refused", async (_, barcode) => {
    expect(barcode.length).toBe(PASS.length);
    expect(await verify(barcode)).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: "the pass is signed by none of the keys: it is forged or changed\n",
    });
  });

  test.each([
    ["a barcode without a signature", PASS.slice(0, PASS.indexOf("^")), KEYS, "carries no signature"],
    ["keys that are none", PASS, fileOf({ keys: [{ kty: "OKP" }] }), "has a key that can't be used"],
    ["a file without keys", PASS, fileOf({ keys: [] }), "has no list of keys"],
    ["no file", PASS, path.join(folder, "missing"), "can't be read as JSON"],
  ])("%s: says so", async (_, barcode, keys, problem) => {
    const { exitCode, stderr } = await verify(barcode, keys);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(problem);
  });
});
