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

/** Reviews first: what a recovered upload leaves to be reviewed would reach their step. */
const STEPS = ["review:read", "document:stored"];

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

  test("review, at review:read: it happens once", async () => {
    const { id } = await client().newBooking("KP-1");
    await mortal.arm("review:read");
    await upload(client(), id, { content });
    await mortal.waitUntilCrashedAndRestart();
    expect(await decided(id)).toMatchObject([{ status: "verified", kind: "passport" }]);
    const { body } = await client().get<{ data: readonly { type: string }[] }>(`/v1/bookings/${id}/history`);
    expect(body.data.map(({ type }) => type).filter((type) => type.startsWith("document."))).toStrictEqual([
      "document.uploaded",
      "document.verified",
    ]);
  });

  test("upload, at document:stored: not at all, and the same request again makes it once", async () => {
    const { id } = await client().newBooking("KP-1");
    const before = (await files()).length;
    const headers = { "idempotency-key": newKey() };
    await mortal.crashDuring("document:stored", () => upload(client(), id, { content }, headers));
    expect(await documentsOf(client(), id)).toStrictEqual([]);
    expect(await files()).toHaveLength(before);
    expect((await upload(client(), id, { content }, headers)).body.documents).toStrictEqual(["scan.pdf"]);
    expect(await documentsOf(client(), id)).toHaveLength(1);
    expect(await files()).toHaveLength(before + 1);
  });
});
