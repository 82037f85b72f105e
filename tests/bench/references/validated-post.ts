import { createHash } from "node:crypto";
import express from "express";
import { z } from "zod";
import { serveReference } from "./serve-reference.ts";

/**
 * "(c)": Express 5 as it comes; a POST is parsed, its API key looked up by hash, its body validated strictly,
 * and answered with 201. Nothing is stored.
 */
const booking = z.strictObject({
  flightId: z.string().min(1),
  cabin: z.enum(["economy", "premium_economy", "business", "first"]),
  passengers: z
    .array(z.strictObject({ name: z.string().min(1).max(200), email: z.email() }))
    .min(1)
    .max(9),
  reference: z.string().max(64).optional(),
});

const hashOf = (key: string): string => createHash("sha256").update(key).digest("base64url");
const accounts = new Map([[hashOf("bench-key"), { accountId: "acc_bench" }]]);

const app = express();
app.use(express.json());
app.post("/bookings", (request, response) => {
  const account = accounts.get(hashOf(request.get("x-api-key") ?? ""));
  if (account === undefined) {
    response.status(401).json({ statusCode: 401, message: "no such key" });
    return;
  }
  const parsed = booking.safeParse(request.body);
  if (!parsed.success) {
    response.status(400).json({ statusCode: 400, message: parsed.error.issues.map(({ message }) => message) });
    return;
  }
  response.status(201).json({
    id: "bkg_0123456789abcdef0123456789abcdef",
    status: "pending",
    ...parsed.data,
    totalAmount: 259_800,
    currency: "USD",
    documents: [],
    seats: [],
    createdAt: new Date().toISOString(),
  });
});

serveReference(app);
