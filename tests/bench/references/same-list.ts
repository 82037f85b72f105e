import express from "express";
import { serveTasks } from "../children/serve-tasks.ts";
import { portOf } from "./serve-reference.ts";

/** A list to answer with, and headers beside those Express sets. */
export interface SameList {
  readonly headers: Readonly<Record<string, string>>;
  readonly list: object;
}

/** Express 5 as it comes, a list from memory as JSON. Answers its port. */
serveTasks(({ headers, list }: SameList): Promise<number> => {
  const app = express();
  app.get("/", (_request, response) => {
    response.set(headers).json(list);
  });
  return portOf(app);
});
