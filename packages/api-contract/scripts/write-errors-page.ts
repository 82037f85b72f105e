import fs from "node:fs";
import path from "node:path";
import { errorsPage } from "../src/errors/page.ts";

fs.writeFileSync(path.resolve(import.meta.dirname, "../../../docs/errors.md"), errorsPage());
