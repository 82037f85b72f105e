import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isThere } from "@travel-booking/runtime/durable-files";
import { NoBrowser } from "./failures.ts";

export interface FoundBrowser {
  readonly path: string;
  /** Environment variables for the browser. The packaged one has fonts of its own. */
  readonly env: Readonly<Record<string, string>>;
}

interface FindBrowserOptions {
  /** `BROWSER_PATH`: a program, or `none`. Undefined: search for one. */
  readonly browserPath: string | undefined;
  /** The browser of the npm package is unpacked here. No other user may write to it. */
  readonly folder: string;
}

/**
 * Yields only the browser of the setting. Without a setting: a browser of this machine, then the one of the npm
 * package, which is unpacked only when it is needed.
 * @throws NoBrowser there is none, or the setting is `none`.
 */
export async function* browsersToTry({ browserPath, folder }: FindBrowserOptions): AsyncGenerator<FoundBrowser> {
  if (browserPath === "none") throw new NoBrowser("BROWSER_PATH is none: nothing can be printed as PDF");
  if (browserPath !== undefined) {
    if (!isProgram(browserPath)) {
      throw new NoBrowser(
        `BROWSER_PATH is ${JSON.stringify(browserPath)}: there is no program to start; correct it or unset it`,
      );
    }
    yield { path: browserPath, env: {} };
    return;
  }
  const own = systemBrowser(process.env, process.platform);
  if (own !== undefined) yield { path: own, env: {} };
  const packaged = await unpacked(folder);
  if (packaged !== undefined) yield packaged;
  else if (own === undefined) {
    throw new NoBrowser(
      "no browser to print PDF with: install chromium, name one in BROWSER_PATH, or install the optional package @sparticuz/chromium",
    );
  }
}

async function unpacked(folder: string) {
  try {
    return await packagedBrowser(folder);
  } catch (cause) {
    throw new NoBrowser(`the browser of @sparticuz/chromium can't be unpacked into ${folder}`, { cause });
  }
}

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
/** Usual paths of browsers that are not on the `PATH`. */
const USUAL_PATHS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** The first browser on the `PATH`, else one at a usual path. */
export function systemBrowser(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(USUAL_PATHS[platform] ?? [])].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const OWN_FONTS = "fonts.conf";
const PACKAGE = "@sparticuz/chromium";
/** Real time. Unpacking takes ten seconds on an idle machine. */
const UNPACK_TIMEOUT_MS = 180_000;
const SCRIPT = `const { default: chromium } = await import(process.argv[1]);
process.stdout.write(await chromium.executablePath());`;

/** Exists on systems with fonts. */
const SYSTEM_FONTS_CONFIG = "/etc/fonts/fonts.conf";

/**
 * The browser of the npm package; undefined if the package is not installed. It is unpacked once, into a draft folder
 * that is then renamed. The package would unpack into the shared folder for temporary files, and trust a program it
 * finds there. So it runs in a process with a private one.
 * @throws Error unpacking failed.
 */
async function packagedBrowser(folder: string): Promise<FoundBrowser | undefined> {
  const module = resolvePackage();
  if (module === undefined || process.platform !== "linux" || process.arch !== "x64") return undefined;
  const target = join(folder, "program");
  if (!isThere(target)) await unpack(module, folder, target);
  const env = isThere(SYSTEM_FONTS_CONFIG) ? {} : { FONTCONFIG_FILE: join(target, OWN_FONTS) };
  return { path: join(target, "chromium"), env };
}

async function unpack(module: string, folder: string, target: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(folder, "unpacking-"));
  try {
    const args = ["--input-type=module", "--eval", SCRIPT, module];
    const env = { TMPDIR: draft, HOME: draft, PATH: process.env.PATH ?? "" };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: UNPACK_TIMEOUT_MS });
    if (stdout !== join(draft, "chromium")) throw new Error(`${PACKAGE} was unpacked elsewhere than it was told`);
    writeFileSync(join(draft, OWN_FONTS), fontsConfig(target));
    if (!isThere(target)) renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function resolvePackage(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}

function fontsConfig(target: string): string {
  const folders = [join(target, "fonts"), "/usr/share/fonts", "/usr/local/share/fonts"];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders.map((folder) => `<dir>${folder}</dir>`).join("")}<cachedir>${join(target, "fonts-cache")}</cachedir></fontconfig>
`;
}
