import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findCommand } from "../engines/processes/find-command.ts";
import { describeWithCommand } from "./kit/describe-with-command.ts";
import { ROOT } from "./kit/image-files.ts";
import { FakeInstallation } from "./kit/operation.ts";

const SCRIPTS = ["backup.sh", "restore.sh", "upgrade.sh", "try.sh", "try-stripe.sh"];
const ARCHIVES = [
  "eventstore-1-index-checkpoints.tar.gz",
  "eventstore-2-index.tar.gz",
  "eventstore-3-checkpoints.tar.gz",
  "eventstore-4-chunks.tar.gz",
];
const LOG = {
  "chaser.chk": "chaser",
  "chunk-000000.000000": "first",
  "chunk-000001.000000": "second",
  "epoch.chk": "epoch",
  "index/6f1c": "table",
  "index/indexmap": "map",
  "index/stream-existence/streamExistenceFilter.chk": "filter checkpoint",
  "index/stream-existence/streamExistenceFilter.dat": "filter",
  "truncate.chk": "none",
  "writer.chk": "writer",
};
const LATER = { "chaser.chk": "later", "chunk-000002.000000": "third", "truncate.chk": "none" };

let installation: FakeInstallation;
beforeEach(() => {
  installation = new FakeInstallation();
  installation.fill("eventstore", LOG);
});
afterEach(() => installation.remove());

const places = () => fs.readdirSync(installation.folder).filter((name) => name.startsWith("kept"));

const folder = path.join(ROOT, "docker/operations");

describe("the scripts of docker/operations", () => {
  test.each(SCRIPTS)("%s can be run, and is understood by bash", (script) => {
    expect(fs.statSync(path.join(folder, script)).mode & 0o111).toBe(0o111);
    execFileSync("bash", ["-n", path.join(folder, script)]);
  });

  test.each(SCRIPTS)("%s finds containers by their service, never by name", (script) => {
    expect(fs.readFileSync(path.join(folder, script), "utf8")).not.toMatch(/travel-booking-[a-z]+-\d|travel-booking_/);
  });
});

test("nothing in any script ends before what it reads from has: with pipefail that fails by chance", () => {
  const scripts = fs.globSync(["docker/**/*.sh", "tests/**/*.sh", ".ci/run"], { cwd: ROOT });
  expect(scripts).toContain("docker/operations/backup.sh");
  const EARLY =
    /\|&?\s*(?:grep\s(?:[^|]*\s)?(?:-\w*[qlm]|--quiet|--max-count)|head\b|sed\b[^|]*\d*q\b|awk\b[^|\n]*\bexit\b)[^|]*/g;
  const found = scripts.flatMap((file) => fs.readFileSync(path.join(ROOT, file), "utf8").match(EARLY) ?? []);
  expect(found).toStrictEqual([]);
});

describeWithCommand("shellcheck", "the scripts of docker/operations, linted", (shellcheck) => {
  test("nothing is wrong", () => {
    execFileSync(shellcheck, ["-x", "-P", "SCRIPTDIR", ...SCRIPTS], { cwd: folder });
  });
});

describe("backup.sh", () => {
  test("copies MongoDB, then EventStoreDB: index checkpoints, index, checkpoints, chunks", async () => {
    const { code, stderr, calls } = await installation.run("backup.sh", ["kept"]);
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(calls.map((call) => call.split(" ").slice(0, 5).join(" "))).toStrictEqual([
      "compose exec -T mongodb mongodump",
      ...Array(4).fill("compose exec -T eventstore sh"),
    ]);
    expect(fs.readdirSync(installation.path("kept"))).toStrictEqual([...ARCHIVES, "mongodb.gz"]);
    const copied = ARCHIVES.map((archive) => filesIn(installation.path("kept", archive)));
    expect(copied).toStrictEqual([
      ["index/stream-existence/streamExistenceFilter.chk"],
      ["index/6f1c", "index/indexmap", "index/stream-existence/streamExistenceFilter.dat"],
      ["chaser.chk", "epoch.chk", "truncate.chk", "writer.chk"],
      ["chunk-000000.000000", "chunk-000001.000000"],
    ]);
    expect(fs.statSync(installation.path("kept")).mode & 0o777).toBe(0o700);
  });

  test.each([1, 2, 3, 4, 5])("where call %i fails, there is no backup, and it says so", async (failAt) => {
    const { code, stderr } = await installation.run("backup.sh", ["kept"], { FAIL_AT: `${failAt}` });
    expect(code).toBe(7);
    expect(stderr).toMatch(/^FAILED \(exit code 7\) at: copy (MongoDB|EventStoreDB)/m);
    expect(stderr).toMatch(/^There is no backup in .*\/kept\.$/m);
    expect(places()).toStrictEqual([]);
  });

  test.each([1, 2, 3, 6])("with --stop, where call %i fails, the services are started again", async (failAt) => {
    const { code, calls } = await installation.run("backup.sh", ["--stop", "kept"], { FAIL_AT: `${failAt}` });
    expect(code).toBe(7);
    expect(calls).toHaveLength(failAt + 1);
    expect(calls.at(-1)).toMatch(/^compose start /);
    expect(places()).toStrictEqual([]);
  });

  test("where the services can't be started again, the backup is whole, and it says both", async () => {
    const { code, stderr } = await installation.run("backup.sh", ["--stop", "kept"], { FAIL_AT: "7" });
    expect(code).toBe(7);
    expect(stderr).toMatch(/at: start what was stopped\nThe backup in .*\/kept is whole\.$/m);
    expect(places()).toStrictEqual(["kept"]);
  });

  test.each([
    [1, 0],
    [2, 1],
  ])("where tar, while it copies, ends with %i (1: a file has grown), it ends with %i", async (ended, expected) => {
    const tar = `#!/bin/sh\n${findCommand("tar")} "$@" || exit\ncase $1 in -c) exit ${ended} ;; esac\n`;
    fs.writeFileSync(installation.path("bin/tar"), tar, { mode: 0o755 });
    const { code } = await installation.run("backup.sh", ["kept"]);
    expect([code, places()]).toStrictEqual([expected, expected === 0 ? ["kept"] : []]);
  });

  test("what it looks through may be longer than what it looks for", async () => {
    const tar = `#!/bin/sh\n${findCommand("tar")} "$@" || exit\ncase $1 in -t) yes ./other.chk | head -n 50000 ;; esac\n`;
    fs.writeFileSync(installation.path("bin/tar"), tar, { mode: 0o755 });
    const { code, stderr } = await installation.run("backup.sh", ["kept"]);
    expect([code, stderr, places()]).toStrictEqual([0, "", ["kept"]]);
  });

  test("without a log there is no backup", async () => {
    installation.fill("eventstore", { "writer.chk": "writer" });
    const { code, stderr } = await installation.run("backup.sh", ["kept"]);
    expect(code).toBe(1);
    expect(stderr).toContain("chaser.chk is missing");
    expect(places()).toStrictEqual([]);
  });

  test("touches no folder that is there", async () => {
    installation.fill("kept", { file: "mine" });
    const { code, stderr, calls } = await installation.run("backup.sh", ["kept"]);
    expect([code, calls]).toStrictEqual([1, []]);
    expect(stderr).toContain("is there already");
    expect(installation.files("kept")).toStrictEqual({ file: "mine" });
  });

  test.each([[[]], [["--stop"]], [["--help"]], [["one", "two"]]])("%j: says how it is used", async (args) => {
    const { code, stderr, calls } = await installation.run("backup.sh", args);
    expect([code, calls]).toStrictEqual([1, []]);
    expect(stderr).toContain("usage: backup.sh");
  });
});

describe("restore.sh", () => {
  const NODES = ["eventstore", "eventstore-2", "eventstore-3"];
  const SERVICES = `redis ${NODES.join(" ")} proxy`;

  beforeEach(async () => {
    await installation.run("backup.sh", ["kept"]);
    for (const node of NODES) installation.fill(node, LATER);
  });

  test("replaces all of it, on every node, and starts the services last", async () => {
    const { code, stderr, calls } = await installation.run("restore.sh", ["--yes", "kept"], { SERVICES });
    expect([code, stderr]).toStrictEqual([0, ""]);
    // EventStoreDB cuts its log off where the backup's does end.
    const restored = { ...LOG, "truncate.chk": LOG["chaser.chk"] };
    for (const node of NODES) expect(installation.files(node)).toStrictEqual(restored);
    expect(fs.readFileSync(installation.path("mongodb"), "utf8")).toBe("all of MongoDB\n");
    const others = calls.filter((call) => !call.startsWith("compose run "));
    expect(others).toStrictEqual([
      "compose config --services",
      "compose stop",
      "compose up --detach --wait mongodb redis",
      "compose exec -T mongodb mongosh --quiet --norc travel_booking --eval db.dropDatabase()",
      "compose exec -T mongodb mongorestore --archive --gzip --oplogReplay --quiet",
      "compose exec -T redis redis-cli -e FLUSHALL",
      "compose up --detach --wait",
    ]);
    expect([calls[1], calls.at(-1)]).toStrictEqual(["compose stop", "compose up --detach --wait"]);
  });

  test("wherever it fails, nothing is started after that, and what is stored is untouched or said to be half replaced", async () => {
    const { calls } = await installation.run("restore.sh", ["--yes", "kept"]);
    expect(calls).toHaveLength(14);
    for (let failAt = 1; failAt < calls.length; failAt += 1) {
      installation.fill("eventstore", LATER);
      fs.rmSync(installation.path("mongodb"), { force: true });
      const failed = await installation.run("restore.sh", ["--yes", "kept"], { FAIL_AT: `${failAt}` });
      expect([failAt, failed.code, failed.calls.length]).toStrictEqual([failAt, 7, failAt]);
      const isUntouched = failed.stderr.includes("What is stored was not changed.");
      expect(isUntouched).toBe(failAt < calls.findIndex((call) => call.includes("mongosh")) + 1);
      expect(failed.stderr).toContain("The services stay stopped");
      if (!isUntouched) expect(failed.stderr).toContain("half replaced. Start nothing");
      const { "chaser.chk": chaser } = installation.files("eventstore");
      if (isUntouched) expect(chaser).toBe("later");
    }
    const again = await installation.run("restore.sh", ["--yes", "kept"]);
    expect(again.code).toBe(0);
    expect(installation.files("eventstore")).toStrictEqual({ ...LOG, "truncate.chk": "chaser" });
  });

  test.each([...ARCHIVES, "mongodb.gz"])(
    "a backup whose %s is cut off is refused before anything is stopped",
    async (name) => {
      fs.truncateSync(installation.path("kept", name), 15);
      const { code, stderr, calls } = await installation.run("restore.sh", ["--yes", "kept"]);
      expect(code).not.toBe(0);
      expect(stderr).toContain("FAILED");
      expect(calls).toStrictEqual([]);
    },
  );

  test("asks before it replaces anything", async () => {
    const refused = await installation.run("restore.sh", ["kept"], { input: "no\n" });
    expect([refused.code, refused.calls]).toStrictEqual([1, []]);
    expect(refused.stderr).toContain("nothing was changed");
    expect((await installation.run("restore.sh", ["kept"], { input: "yes\n" })).code).toBe(0);
  });
});

describe("upgrade.sh", () => {
  const UP = "compose up --detach";
  const TBS = "compose exec -T command-service node packages/operator/start.js";
  const replaced = (service: string) => [
    `compose ps --quiet ${service}`,
    ...(service === "projector"
      ? [
          `${UP} --no-deps --no-recreate --scale projector=4 projector`,
          `${TBS} projection list --json`,
          "compose ps --format {{.Health}} projector",
        ]
      : [`${UP} --wait --no-deps --no-recreate --scale ${service}=4 ${service}`]),
    `stop ${service}-first ${service}-second`,
    `rm ${service}-first ${service}-second`,
  ];

  test("keeps the images there are, builds, and replaces the services one after another, as many as there are", async () => {
    const { code, stderr, calls } = await installation.run("upgrade.sh", ["kept"]);
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(calls.slice(calls.indexOf("compose config --images"))).toStrictEqual([
      "compose config --images",
      "image inspect travel-booking-document-reader:1.0.0",
      "tag travel-booking-document-reader:1.0.0 travel-booking-document-reader:before",
      "image inspect travel-booking-new:1.0.0",
      "image inspect travel-booking-service:1.0.0",
      "tag travel-booking-service:1.0.0 travel-booking-service:before",
      "compose build",
      "compose run --rm --no-deps -T secrets",
      `${UP} --wait --no-deps document-reader boarding-pass-printer`,
      ...["projector", "query-service", "command-service", "webhook-dispatcher"].flatMap(replaced),
      `${UP} --wait`,
    ]);
    expect(places()).toStrictEqual(["kept"]);
  });

  test("wherever it fails, it stops there: an old instance ends only after new ones are healthy", async () => {
    const { code, calls } = await installation.run("upgrade.sh", ["kept"]);
    expect(code).toBe(0);
    for (let failAt = 1; failAt <= calls.length; failAt += 1) {
      // Whether there is an image: there need not be.
      if (calls[failAt - 1]?.startsWith("image inspect ")) continue;
      fs.rmSync(installation.path("kept"), { recursive: true, force: true });
      const failed = await installation.run("upgrade.sh", ["kept"], { FAIL_AT: `${failAt}` });
      expect([failAt, failed.code]).toStrictEqual([failAt, 7]);
      expect(failed.calls).toStrictEqual(calls.slice(0, failAt));
      expect(failed.stderr).toContain("What was not replaced yet runs on.");
    }
  });

  test("where a projection has stopped, the old projectors go on", async () => {
    const { code, stderr, calls } = await installation.run("upgrade.sh", ["kept"], { STATE: "stopped" });
    expect(code).toBe(1);
    expect(stderr).toContain("a projection has stopped");
    expect(calls.filter((call) => /^(stop|rm) /.test(call))).toStrictEqual([]);
  });
});

describe("try.sh", () => {
  test("goes by nothing that another installation is told: neither its .env nor its servers", async () => {
    const elsewhere = {
      EVENT_STORE_URL: "esdb://elsewhere",
      MONGODB_URL: "mongodb://elsewhere",
      REDIS_URL: "redis://elsewhere",
    };
    const { code } = await installation.run("try.sh", [], {
      FAIL_AT: "1",
      ...elsewhere,
      PAYMENT_GATEWAY: "stripe",
      STRIPE_SECRET_KEY: "sk_live_1",
      COMPOSE_PROFILES: "monitoring",
    });
    expect(code).toBe(7);
    expect(fs.readFileSync(installation.path("environment"), "utf8")).toBe(
      "COMPOSE_DISABLE_ENV_FILE=1\nCOMPOSE_PROJECT_NAME=travel-booking-try\n",
    );
  });

  test("where something fails, it says what, and leaves it to be looked at", async () => {
    const { code, stderr, calls } = await installation.run("try.sh", [], { FAIL_AT: "2" });
    expect(code).toBe(7);
    expect(stderr).toMatch(/^FAILED \(exit code 7\) at: fill the catalogue, and make an account and a key$/m);
    expect(stderr).toContain("docker compose down --volumes");
    expect(calls).not.toContain("compose down --volumes");
  });
});

/** From the root of an archive, sorted. */
function filesIn(archive: string): readonly string[] {
  const listed = execFileSync("tar", ["-t", "-z", "-f", archive], { encoding: "utf8" });
  return listed
    .trimEnd()
    .split("\n")
    .map((name) => name.replace(/^\.\//, ""))
    .sort();
}
