export * from "./webhook-secrets.ts";
