import express, { type Express } from "express";

/** An Express app that adds nothing of its own to a request or an answer. */
export function bareApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", false);
  app.enable("case sensitive routing");
  app.enable("strict routing");
  return app;
}
