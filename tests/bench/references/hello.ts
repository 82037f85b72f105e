import express from "express";
import { serveReference } from "./serve-reference.ts";

/** "hello": Express 5 as it comes, a constant JSON. */
const app = express();
app.get("/hello", (_request, response) => {
  response.json({ hello: "world" });
});

serveReference(app);
