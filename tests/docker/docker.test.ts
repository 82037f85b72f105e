import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pagesOf } from "../boarding-passes/kit/read-pdf.ts";
import { dockerMissingReason } from "../engines/providers/docker.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { runInShell } from "../readme/kit/run-in-shell.ts";
import { Installation, ROOT } from "./kit/installation.ts";
import { load, type Outcome } from "./kit/load.ts";

const LONG_MS = 15 * 60_000;
const CATALOGUE = `node --eval 'import("@travel-booking/standalone/demo-catalogue")
  .then(({ demoCatalogue }) => console.log(JSON.stringify(demoCatalogue(Date.now()))))' | tbs catalogue import /dev/stdin`;
const SERVICES = ["command-service", "query-service", "projector", "webhook-dispatcher"];
/** What works for them, and has neither a network nor a secret. */
const WORKERS = ["document-reader", "boarding-pass-printer"];

const hasStandIns = process.env.TEST_DOCKER_STAND_INS === "true";
const missing = process.env.TEST_DOCKER_MISSING ?? dockerMissingReason();
const title = "docker-compose.yml on a Docker engine";

(missing === undefined ? describe : describe.skip)(
  missing === undefined ? title : titleOfSkipped(title, missing),
  () => {
    const installation = new Installation("travel-booking-tests", 3200);
    const { url } = installation;
    const run = installation.run.bind(installation);
    const compose = installation.compose.bind(installation);
    const inside = installation.inside.bind(installation);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "docker-"));
    let apiKey: string;
    let booking: string;
    const api = (place: string, init?: RequestInit) => installation.api(apiKey, place, init);

    beforeAll(async () => {
      await compose("down", "--volumes", "--remove-orphans");
      await compose("build");
      if (hasStandIns) await Promise.all(["eventstore", "kurrentdb"].map(buildDouble));
      await compose("up", "--detach", "--wait");
      await inside("command-service", "sh", "-c", CATALOGUE);
      apiKey = await installation.newApiKey();
    }, 2 * LONG_MS);

    afterAll(async () => {
      if (missing !== undefined) return;
      await compose("down", "--volumes", "--remove-orphans");
      fs.rmSync(folder, { recursive: true });
    }, LONG_MS);

    /** The services' image, with the double that the other tests use. */
    const buildDouble = (name: string) =>
      run("docker", [
        "build",
        "--quiet",
        "--target",
        name,
        "--tag",
        `stand-in-${name}`,
        "--build-context",
        "service=docker-image://travel-booking-service:1.0.0",
        "--build-context",
        "engines=tests/engines",
        "tests/docker/stand-ins",
      ]);

    test(
      "the README's journey, with its passport read and its PDF printed in containers that do nothing else",
      async () => {
        const readme = fs.readFileSync(path.join(ROOT, "README.md"), "utf8");
        const blocks = [...readme.matchAll(/^```sh journey(?: pdf)?\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
        expect(blocks.length).toBeGreaterThan(5);
        fs.writeFileSync(path.join(folder, "demo.json"), JSON.stringify({ apiKey }));
        fs.symlinkSync(path.join(ROOT, "docs"), path.join(folder, "docs"));
        const env = {
          BASE: url,
          DATA_DIR: folder,
          PATH: `${path.join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
        };
        const { code, stdout, stderr, values } = await runInShell(blocks.join("\n"), env, {
          shown: ["BOOKING"],
          folder,
        });
        expect([code, stderr]).toStrictEqual([0, ""]);
        expect(stdout).not.toMatch(/"statusCode"|undefined|\[object/);
        booking = values.BOOKING ?? "";
        const pdf = fs.readdirSync(folder).find((name) => name.endsWith(".pdf")) ?? "";
        expect(await pagesOf(fs.readFileSync(path.join(folder, pdf)))).toHaveLength(2);
        expect(stdout).toContain("passport verified\n");
      },
      LONG_MS,
    );

    test(
      "reader and printer have no network, no secret and nothing to write to, and are killed without loss",
      async () => {
        for (const name of WORKERS) {
          expect(await inside(name, "id", "-u")).toBe("1000\n");
          const links = await inside(name, "sh", "-c", "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
          expect(links).toBe("lo\n");
          const variables = (await inside(name, "env")).split("\n").map((line) => line.split("=")[0]);
          expect(variables.filter((variable) => /SECRET|TOKEN|URL|KEY/.test(variable ?? ""))).toStrictEqual([]);
          await expect(inside(name, "touch", "/app/new")).rejects.toThrow("Read-only file system");
        }
        const made = await installation.newBooking(apiKey);
        const paid = await api(`/bookings/${made}/payments`, {
          method: "POST",
          headers: { "Idempotency-Key": `pay-${made}` },
          body: '{"type":"card","token":"tok_visa"}',
        });
        expect(paid.status).toBe(201);
        const form = new FormData();
        const file = fs.readFileSync(path.join(ROOT, "docs/examples/passport.pdf"));
        form.append("file", new Blob([file], { type: "application/pdf" }), "passport.pdf");
        const pass = () =>
          fetch(`${url}/v1/bookings/${made}/boarding-pass?format=pdf`, { headers: { "x-api-key": apiKey } });
        const documents = async () =>
          ((await (await api(`/bookings/${made}/documents`)).json()) as { data: readonly { status: string }[] }).data;

        await compose("kill", ...WORKERS);
        const uploaded = await fetch(`${url}/v1/bookings/${made}/documents`, {
          method: "POST",
          headers: { "x-api-key": apiKey },
          body: form,
        });
        expect(uploaded.status).toBe(201);
        const refused = await pass();
        expect([refused.status, refused.headers.has("retry-after")]).toStrictEqual([503, true]);
        expect((await documents()).map(({ status }) => status)).toStrictEqual(["pending"]);

        await compose("up", "--detach", "--wait", "--no-recreate");
        const drawn = await pass();
        expect(drawn.status).toBe(200);
        expect(await pagesOf(Buffer.from(await drawn.arrayBuffer()))).toHaveLength(1);
        while ((await documents())[0]?.status === "pending") await pause(500);
        expect((await documents()).map(({ status }) => status)).toStrictEqual(["verified"]);
      },
      LONG_MS,
    );

    test(
      "containers run as nobody of note, and reach out as far as they have to",
      async () => {
        const ids = await Promise.all(SERVICES.map((service) => inside(service, "id", "-u")));
        expect(ids).toStrictEqual(SERVICES.map(() => "1000\n"));
        const files = await Promise.all(SERVICES.map((service) => inside(service, "ls", "/data")));
        const [both, alone] = ["operator-token\nsecret-key\n", "secret-key\n"];
        expect(files).toStrictEqual([both, alone, alone, both]);
        const route = (service: string) =>
          inside(service, "grep", "-c", "^[a-z0-9]*\t00000000\t", "/proc/net/route").catch(() => "0\n");
        expect(await Promise.all(SERVICES.map(route))).toStrictEqual(["1\n", "0\n", "0\n", "1\n"]);
      },
      LONG_MS,
    );

    test(
      "down and up again: what was stored is there",
      async () => {
        await compose("down");
        await compose("up", "--detach", "--wait");
        const response = await api(`/bookings/${booking}`);
        expect([response.status, ((await response.json()) as { status: string }).status]).toStrictEqual([
          200,
          "cancelled",
        ]);
      },
      LONG_MS,
    );

    test(
      "the monitoring, but for Grafana, sees every instance; the machine itself reads no metrics without the token",
      async () => {
        await compose(
          "--profile",
          "monitoring",
          "up",
          "--detach",
          "--wait",
          "--no-deps",
          "prometheus",
          "blackbox",
          "node-exporter",
        );
        const targets = async () => {
          const said = await inside(
            "prometheus",
            "wget",
            "-q",
            "-O",
            "-",
            "http://127.0.0.1:9090/api/v1/targets?state=active",
          );
          const active: { labels: { component: string }; health: string }[] = JSON.parse(said).data.activeTargets;
          return active.map(({ labels, health }) => `${labels.component} ${health}`).sort();
        };
        const all = ["blackbox", "command-service", "dispatcher", "node-exporter", "projector", "query-service"].map(
          (name) => `${name} up`,
        );
        for (let seen = await targets(); seen.join() !== all.join(); seen = await targets()) await pause(500);
        expect(await inside("blackbox", "id", "-u")).toBe("65534\n");
        const { stdout } = await compose("ps", "--quiet", "projector");
        const format = "{{range $name, $one := .NetworkSettings.Networks}}{{$name}}={{$one.IPAddress}}\n{{end}}";
        const addresses = (await run("docker", ["inspect", "--format", format, stdout.trim()])).stdout;
        const [, address] = /_services=(\S+)/.exec(addresses) ?? [];
        const response = await fetch(`http://${address}:3001/metrics`);
        expect(response.status).toBe(401);
        await compose("--profile", "monitoring", "rm", "--force", "--stop", "prometheus", "blackbox", "node-exporter");
      },
      LONG_MS,
    );

    const idsOf = async (service: string) =>
      (await compose("ps", "--quiet", service)).stdout.trimEnd().split("\n").sort();

    test(
      "an upgrade that changes networks is refused before anything is done",
      async () => {
        const file = path.join(folder, "networks.yaml");
        const changes = "{ networks: { edge: { internal: true } }, services: { projector: { networks: [outside] } } }";
        fs.writeFileSync(file, changes);
        const before = await Promise.all(SERVICES.map(idsOf));
        const backup = path.join(folder, "of-none");
        const COMPOSE_FILE = `${process.env.COMPOSE_FILE ?? "docker-compose.yml"}:${file}`;
        const project = "travel-booking-tests";
        const [engines, services, outside] = ["engines", "services", "outside"].map((name) => `${project}_${name}`);
        await expect(run("docker/operations/upgrade.sh", [backup], { COMPOSE_FILE })).rejects.toThrow(
          `Networks change, which interrupts the service. Nothing was done. Back up, then: docker compose build &&
docker compose up --detach --wait.
${project}_edge
/${project}-projector-1: ${engines} ${services}, then ${engines} ${outside} ${services}
`,
        );
        expect(fs.existsSync(backup)).toBe(false);
        expect(await Promise.all(SERVICES.map(idsOf))).toStrictEqual(before);
      },
      LONG_MS,
    );

    test(
      "KurrentDB takes over the log, and is backed up, restored and upgraded like EventStoreDB",
      async () => {
        const files = ["docker-compose.yml", "docker/kurrentdb.yaml"];
        if (hasStandIns) files.push("tests/docker/stand-ins/compose.yaml", "tests/docker/stand-ins/kurrentdb.yaml");
        const env = { COMPOSE_FILE: files.join(":") };
        await run("docker", ["compose", "up", "--detach", "--wait"], env);
        expect((await run("docker", ["compose", "exec", "-T", "eventstore", "id", "-u"], env)).stdout).toBe("1001\n");
        expect((await api(`/bookings/${booking}`)).status).toBe(200);
        const backup = path.join(folder, "of-kurrentdb");
        await run("docker/operations/backup.sh", ["--stop", backup], env);
        const running = await run("docker", ["compose", "ps", "--services"], env);
        expect(running.stdout.split("\n")).toEqual(expect.arrayContaining(["proxy", ...SERVICES]));
        await run("docker/operations/restore.sh", ["--yes", backup], env);
        expect((await api(`/bookings/${booking}`)).status).toBe(200);
        await run("docker/operations/upgrade.sh", [path.join(folder, "before-an-upgrade")], env);
        expect((await run("docker", ["compose", "exec", "-T", "eventstore", "id", "-u"], env)).stdout).toBe("1001\n");
        expect((await api(`/bookings/${booking}`)).status).toBe(200);
      },
      LONG_MS,
    );

    test(
      "docker/operations/try.sh, its upgrade under load: nothing that needs no database fails, every write succeeds when it is repeated",
      async () => {
        await compose("down", "--volumes", "--remove-orphans");
        const tried = new Installation("travel-booking-try", 3100);
        const upgraded = new AbortController();
        let underLoad: Promise<Outcome> | undefined;
        const onLine = (line: string) => {
          if (line === "== upgrade, to the release that runs already") underLoad = load(tried, upgraded.signal);
          // By the script that upgrades.
          if (line === "== done") upgraded.abort();
        };
        const { stdout } = await tried.run("docker/operations/try.sh", [], {}, onLine).finally(() => upgraded.abort());
        expect(stdout).toMatch(/== done: all of it worked\n$/);
        const { requests, writes } = (await underLoad) as Outcome;
        expect(requests).toStrictEqual(["GET 200", "POST 401"]);
        expect(writes).toStrictEqual([200]);
        for (const name of ["service", ...WORKERS])
          await run("docker", ["image", "inspect", `travel-booking-${name}:before`]);
      },
      LONG_MS,
    );
  },
);
