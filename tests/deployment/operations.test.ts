import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { operatorCli } from "../support/operator-cli.ts";
import { imageFiles, ROOT } from "./kit/image-files.ts";

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

/** What an operator is told has to be there. */
describe("docs/operations.md", () => {
  const text = read("docs/operations.md");
  const sources = imageFiles()
    .filter((file) => file.endsWith(".ts"))
    .map(read)
    .join("\n");

  test("names metrics that there are", () => {
    const table = text.slice(text.indexOf("### Metrics"), text.indexOf("### Alerts"));
    const names = [...table.matchAll(/^\| `(\w+)(?:\{[\w,]+\})?` /gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !sources.includes(`"${name}"`))).toStrictEqual([]);
  });

  test("leaves out none of those that the services register themselves", () => {
    const registered = [...sources.matchAll(/\bmetrics\.(?:gauge|samples|counter)\(\s*"(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(registered.length).toBeGreaterThan(5);
    expect(registered.filter((name) => !text.includes(`\`${name}`))).toStrictEqual([]);
  });

  test("gives commands that the operator has", async () => {
    const { stdout: usage } = await operatorCli({ DATA_DIR: "/nowhere" }, "--help");
    const known = [...usage.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)/gm)].map(([, command = ""]) => command);
    const given = [...text.matchAll(/\btbs ([a-z]+(?: [a-z]+)?)|`((?:projection|credential|account) [a-z]+) [A-Z]+`/g)];
    const commands = new Set(given.map(([, line, inline]) => line ?? inline ?? ""));
    expect(commands.size).toBeGreaterThan(5);
    expect([...commands].filter((command) => !known.includes(command))).toStrictEqual([]);
  });

  test("links to what is there", () => {
    const links = [...text.matchAll(/\]\(([^)#]*)(#[^)]*)?\)/g)];
    const files = links.flatMap(([, file]) => (file === "" ? [] : [path.join("docs", file ?? "")]));
    expect(files.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toStrictEqual([]);
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    const anchors = links.flatMap(([, file, anchor]) => (file === "" && anchor !== undefined ? [anchor.slice(1)] : []));
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toStrictEqual([]);
  });
});

/** As Markdown's renderers make it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
