import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TravelDocumentBody } from "@travel-booking/api-contract";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { Client, newKey } from "../end-to-end/kit/client.ts";
import { documentsOf, upload } from "../end-to-end/kit/upload.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { CrashableService } from "./support/crashable-service.ts";

const STEPS: readonly string[] = [];

describe("killed between two steps of a document's life", () => {
  let mortal: CrashableService;
  let content: Buffer;
  beforeAll(async () => {
    mortal = await CrashableService.start(STEPS);
    await importCatalogue(mortal.service, {
      destinations: [DESTINATIONS[0]],
      flights: [flightOf({ id: "KP-1", departsIn: 40 }, Date.now())],
    });
    const expiresOn = new Date(Date.now() + 3_650 * 86_400_000).toISOString().slice(2, 10).replaceAll("-", "");
    content = await pdfWithZone(passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn }));
  });
  afterAll(() => mortal.discard());

  const client = () => new Client(mortal.service.baseUrl, mortal.credential);
  const files = () => readdir(join(mortal.service.dataDir, "files"));

  async function decided(bookingId: string): Promise<readonly TravelDocumentBody[]> {
    for (;;) {
      const documents = await documentsOf(client(), bookingId);
      if (documents.every(({ status }) => status !== "pending")) return documents;
      await pause(50);
    }
  }

  test.each([
    ["document:begun", 0],
    ["document:stored", 0],
    ["document:recorded", 1],
  ])("upload, at %s: whole or not at all, and the same request again makes it once", async (point, recorded) => {
    const { id } = await client().newBooking("KP-1");
    const before = (await files()).length;
    await mortal.arm(point);
    const key = { "idempotency-key": newKey() };
    await expect(upload(client(), id, { content }, key)).rejects.toThrow();
    await mortal.waitUntilCrashedAndRestart();
    expect(await documentsOf(client(), id)).toHaveLength(recorded);
    expect(await files()).toHaveLength(before + recorded);
    expect((await upload(client(), id, { content }, key)).body.documents).toStrictEqual(["scan.pdf"]);
    expect(await documentsOf(client(), id)).toHaveLength(1);
    expect(await files()).toHaveLength(before + 1);
    // What is left to be reviewed would be taken up after the next start, and end the service once more.
    await decided(id);
  });

  test.each(["review:read", "review:recorded"])("review, at %s: it happens once", async (point) => {
    const { id } = await client().newBooking("KP-1");
    await mortal.arm(point);
    await upload(client(), id, { content });
    await mortal.waitUntilCrashedAndRestart();
    expect(await decided(id)).toMatchObject([{ status: "verified", kind: "passport" }]);
    const { body } = await client().get<{ data: readonly { type: string }[] }>(`/v1/bookings/${id}/history`);
    expect(body.data.map(({ type }) => type).filter((type) => type.startsWith("document."))).toStrictEqual([
      "document.uploaded",
      "document.verified",
    ]);
  });
});
