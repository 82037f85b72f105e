import { NoBrowser } from "./errors.ts";
import { packagedBrowser } from "./packaged-browser.ts";
import { isProgram, systemBrowser } from "./system-browser.ts";

/** A browser that can be started. */
export interface FoundBrowser {
  readonly path: string;
  /** What it needs besides what every program does. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FindBrowserOptions {
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
