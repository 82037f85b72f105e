import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { findCommand } from "../../engines/processes/find-command.ts";
import { readComposeFile } from "../kit/compose-file.ts";
import { proxyConfiguration, TEMPLATE, templateVariables } from "../kit/proxy-configuration.ts";

/** The longest that a poll of events takes, in seconds. */
const MAX_POLL = 30;

describe("the proxy's configuration", () => {
  const { environment } = readComposeFile().services.proxy ?? { environment: {} };
  const rendered = proxyConfiguration(environment);

  (findCommand("envsubst") === undefined ? test.skip : test)("is rendered here as it is in the container", async () => {
    const names = templateVariables().map((name) => `\${${name}}`);
    const running = promisify(execFile)("envsubst", [names.join(" ")], {
      env: { PATH: process.env.PATH, ...environment },
    });
    running.child.stdin?.end(fs.readFileSync(TEMPLATE));
    expect((await running).stdout).toBe(rendered);
  });

  test("finds every instance of a service by its name, and goes on looking", () => {
    expect(rendered).toContain("resolver 127.0.0.11 valid=5s ipv6=off;");
    const upstreams = [...rendered.matchAll(/upstream (\w+) \{\s+zone (\w+) \w+;\s+server (\S+) resolve /g)];
    expect(upstreams.map(([, name, zone, address]) => [name, zone, address])).toStrictEqual([
      ["command", "command", "command-service:3000"],
      ["query", "query", "query-service:3000"],
      ["dispatcher", "dispatcher", "dispatcher:3000"],
      ["command_operator", "command_operator", "command-service:3001"],
      ["dispatcher_operator", "dispatcher_operator", "dispatcher:3001"],
    ]);
  });

  test("waits longer than the longest poll", () => {
    const [, seconds] = /^ {2}proxy_read_timeout (\d+)s;$/m.exec(rendered) ?? [];
    expect(Number(seconds)).toBeGreaterThan(MAX_POLL);
  });

  test("writes nothing to a disk: its folder is in memory, and requests and answers are in neither", () => {
    const paths = [...rendered.matchAll(/_temp_path ([^;]+);/g)].map(([, path]) => path);
    expect(paths).toHaveLength(5);
    expect(paths.filter((path) => !path?.startsWith("/run/nginx/"))).toStrictEqual([]);
    expect(readComposeFile().services.proxy?.tmpfs).toStrictEqual(["/run/nginx:uid=101,gid=101,mode=0700"]);
    expect(rendered).toContain("proxy_max_temp_file_size 0;");
    expect(rendered).toContain("proxy_request_buffering off;");
  });
});
