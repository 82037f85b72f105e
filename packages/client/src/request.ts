/** @throws TypeError an id is missing, empty, or would lead to another path. */
export function requestUrl(
  baseUrl: string,
  {
    path,
    ids = {},
    query = {},
  }: { path: string; ids?: Readonly<Record<string, string>> | undefined; query?: object | undefined },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id = ids[name];
    // Dots alone would be taken out of the URL, together with what stands before them.
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} of ${path} must be an id`);
    return encodeURIComponent(id);
  });
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined) parameters.append(name, String(each));
  }
  const search = parameters.toString();
  return `${baseUrl.replace(/\/+$/, "")}${filled}${search === "" ? "" : `?${search}`}`;
}

/** Rejects with the reason of the signal once that is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
