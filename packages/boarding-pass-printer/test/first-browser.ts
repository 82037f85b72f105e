import { browsersToTry, type FoundBrowser } from "../src/find-browser.ts";

/** The browser that is tried first. @param folder where the packaged one is unpacked. */
export async function firstBrowser(folder: string): Promise<FoundBrowser> {
  for await (const found of browsersToTry({ browserPath: process.env.BROWSER_PATH, folder })) return found;
  throw new Error("there is none");
}
