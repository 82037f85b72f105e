import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

// Preloaded with `--import`: writes each module a thread loads to the file of MODULE_LIST, of Node itself excepted, as `thread url`.
const file = process.env.MODULE_LIST ?? "";
registerHooks({
  load(url, context, next) {
    if (!url.startsWith("node:")) appendFileSync(file, `${isMainThread ? "request" : "projector"} ${url}\n`);
    return next(url, context);
  },
});
