export { describeWith, type Started } from "./describe-with.ts";
export * from "./start.ts";
