import fs from "node:fs";
import path from "node:path";
import { slugsOf, withoutCode } from "./markdown.ts";

const PLACES = [
  "*.{md,cjs,js,json,yml,yaml}",
  ".*.{cjs,yaml}",
  ".ci/*",
  "Dockerfile",
  "docker/**/*.{sh,template}",
  "docs/**/*.md",
  "{command-service,query-service,projector,webhook-dispatcher,domain,packages,tests}/**/*.{ts,js,md,css}",
];
const IGNORED = ["**/node_modules/**", "package-lock.json"];
/** Their text is about citations: they hold bad ones. */
const OWN = /^tests\/architecture\/citations(?:\.test)?\.ts$/;

/** A page of the project named from its root, as comments do: `docs/page.md`, `docs/page.md#heading`, `README.md#heading`. */
const CITATION = /(?<![\w./-])(docs\/[\w./-]+\.md|README\.md(?=#))(?:#([\p{L}\p{M}\p{N}_-]+))?/gu;
/** Where a link of Markdown leads; of a reference-style link its definition. */
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*<?([^\s>]+)/gm;
/** Another site, or a page that the service serves. */
const ELSEWHERE = /^(?:[a-z][a-z+.-]*:|\/)/i;
/** Rules once stood in texts that are not in the project: who reads such a citation can't follow it. */
const NOT_HERE =
  /\b(?:decisions|design),? \(?"[^"]*"|\(decisions, [^")]*\)|\bAPI document, (?:"|sections? \d|[A-Z])[^).]*/g;

export interface Citations {
  /** How many citations and links were followed. */
  readonly followed: number;
  /** What leads nowhere, as `file: citation: why`, sorted. */
  readonly problems: readonly string[];
}

/** Follows every citation of a page, and every relative link in one, from a tree's sources, tests and pages. */
export function checkCitations(tree: string): Citations {
  const pages = new Pages(tree);
  const problems: string[] = [];
  let followed = 0;
  for (const file of fs.globSync(PLACES, { cwd: tree, exclude: IGNORED })) {
    const name = file.split(path.sep).join("/");
    if (OWN.test(name) || !fs.statSync(path.join(tree, file)).isFile()) continue;
    const text = fs.readFileSync(path.join(tree, file), "utf8");
    const targets = name.endsWith(".md") ? [...citationsIn(text), ...linksIn(text, name)] : citationsIn(text);
    for (const { written, page, heading } of targets) {
      followed += 1;
      const problem = pages.problemWith(page, heading);
      if (problem !== undefined) problems.push(`${name}: ${written}: ${problem}`);
    }
    for (const [written] of inOneLine(text).matchAll(NOT_HERE)) {
      problems.push(`${name}: ${written}: cites what is not in the project`);
    }
  }
  return { followed, problems: [...new Set(problems)].sort() };
}

interface Target {
  readonly written: string;
  /** From the root of the tree. */
  readonly page: string;
  readonly heading: string | undefined;
}

function citationsIn(text: string): Target[] {
  return [...text.matchAll(CITATION)].map(([written, page = "", heading]) => ({ written, page, heading }));
}

/** Links lead on from the folder of their page; what begins with `#` stays on it. */
function linksIn(text: string, name: string): Target[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map(([, inline, defined]) => inline ?? defined ?? "")
    .filter((written) => !ELSEWHERE.test(written))
    .map((written) => {
      const [target = "", heading] = written.split("#", 2);
      const page = target === "" ? name : path.posix.join(path.posix.dirname(name), decodeURIComponent(target));
      return { written, page, heading };
    });
}

/** Comments are wrapped anywhere, and a citation with them. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, " ");
}

/** The pages of a tree; each is read once. */
class Pages {
  readonly #tree: string;
  readonly #slugs = new Map<string, ReadonlySet<string>>();

  constructor(tree: string) {
    this.#tree = tree;
  }

  /** Why nobody gets there; undefined where everybody does. */
  problemWith(page: string, heading: string | undefined): string | undefined {
    if (!fs.existsSync(path.join(this.#tree, page))) return "there is no such file";
    if (heading === undefined || !page.endsWith(".md")) return undefined;
    return this.#slugsOf(page).has(heading) ? undefined : "there is no such heading";
  }

  #slugsOf(page: string): ReadonlySet<string> {
    const known = this.#slugs.get(page);
    if (known !== undefined) return known;
    const slugs = slugsOf(fs.readFileSync(path.join(this.#tree, page), "utf8"));
    this.#slugs.set(page, slugs);
    return slugs;
  }
}
