import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { browserForTests } from "../boarding-passes/kit/browser.ts";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { OPERATOR, OperatorBrowser } from "../operator-page/kit/operator-browser.ts";
import { type Installation, OPERATOR_TOKEN } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import { PageSession } from "../support/page-session.ts";
import { openInstallation } from "./kit/open-installation.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

const startBrowser = async () => {
  const browser = await browserForTests();
  return { ...browser, stop: async () => browser.discard() };
};

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis, proxy: needsProxy, browser: startBrowser },
  "the operator's page of services that run apart",
  ({ eventStore, mongo, redis, browser }) => {
    let installation: Installation;
    let apiKey: string;
    let operator: OperatorBrowser;

    beforeAll(async () => {
      ({ installation, apiKey } = await openInstallation({
        servers: serversAt({ eventStore, mongo, redis }),
        flights: [{ id: "OP-1", departsIn: 60 }],
      }));
      operator = await OperatorBrowser.open(browser, installation.pageUrl);
      await operator.signIn(OPERATOR_TOKEN);
    });
    afterAll(async () => {
      await operator.close();
      await installation.discard();
    });

    test("shows what all of them know, and what somebody did in whose name", async () => {
      const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
      const booking = { flightId: "OP-1", cabin: "economy", passengers };
      const { id } = (await new RetryingApi(installation.baseUrl, { apiKey }).post("/v1/bookings", booking)).body as {
        id: string;
      };
      for (const path of ["/", "/webhooks", "/projections", "/money", "/documents", "/streams", `/accounts`]) {
        expect([path, await operator.look(path)]).toStrictEqual([path, expect.not.stringContaining("out of reach")]);
      }
      expect(await operator.look(`/bookings/${id}`)).toContain("BookingCreated");
      await operator.look("/accounts");
      await operator.page.type("[name=name]", "Second");
      await operator.press("Create it");
      const [, accountId] = /The account (\S+) is open/.exec(await operator.text()) ?? [];
      const { body } = await installation.operator("GET", `/streams/account-${accountId}`);
      const [opened] = body as readonly { metadata: { actor: unknown } }[];
      expect(opened?.metadata.actor).toStrictEqual({
        kind: "operator",
        id: OPERATOR,
      });
      expect(operator.complaints).toStrictEqual([]);
    });

    test("who signs out at one of them has signed out of all", async () => {
      const urls = (["command-service", "webhook-dispatcher"] as const).flatMap((name) =>
        installation.of(name).map(({ operatorUrl }) => operatorUrl),
      );
      const session = await PageSession.signIn(installation.pageUrl, OPERATOR_TOKEN);
      const statuses = () => Promise.all(urls.map((url) => session.visit(url)));
      expect(await statuses()).toStrictEqual(urls.map(() => 200));
      await session.signOut(installation.pageUrl);
      expect(await statuses()).toStrictEqual(urls.map(() => 303));
    });

    test("without the dispatcher shows everything but webhooks", async () => {
      await Promise.all(installation.of("webhook-dispatcher").map((service) => service.kill()));
      const text = await operator.look("/");
      for (const part of ["ready", "documents to review", "obligations", "No service answers there"])
        expect(text).toContain(part);
      for (const service of installation.of("webhook-dispatcher")) {
        service.restart();
        await service.ready();
      }
    });

    test("without the command-service is answered by the dispatcher, in the same session", async () => {
      await Promise.all(installation.of("command-service").map((service) => service.kill()));
      const text = await operator.look("/");
      for (const part of [OPERATOR, "endpoints", "No service answers there"]) expect(text).toContain(part);
      expect(await operator.look("/webhooks")).toContain("Endpoints");
    });
  },
);
