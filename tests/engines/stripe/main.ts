import { parseArgs } from "node:util";
import { StripeDouble } from "./double.ts";

/* A double of Stripe's API in a process of its own: see the README beside this file. */
const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const double = await StripeDouble.start(Number(values.port));
process.once("SIGTERM", () => void double.stop());
const { url, secretKey, webhookSecret } = double;
process.stdout.write(`${JSON.stringify({ url, secretKey, webhookSecret })}\n`);
