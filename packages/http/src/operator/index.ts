export * from "./operator-app.ts";
export * from "./operator-route.ts";
