import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { PageSession } from "../support/page-session.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const folder = temporaryFolders();
const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await service.kill();
});

test("whoever has signed out stays so, also with a copied cookie, and after a crash", async () => {
  const dataDir = folder();
  const start = async () => {
    const service = await Service.start({ dataDir });
    services.push(service);
    return service;
  };
  let service = await start();
  const token = readFileSync(join(dataDir, "operator-token"), "utf8").trim();
  const [ended, kept] = [
    await PageSession.signIn(service.operatorUrl, token),
    await PageSession.signIn(service.operatorUrl, token),
  ];
  const visits = async () => [await ended.visit(service.operatorUrl), await kept.visit(service.operatorUrl)];
  expect(await visits()).toStrictEqual([200, 200]);
  await ended.signOut(service.operatorUrl);
  expect(await visits()).toStrictEqual([303, 200]);
  await service.kill();
  service = await start();
  expect(await visits()).toStrictEqual([303, 200]);
});
