export { ManualTime } from "./manual-time.ts";
export { ScriptedStore } from "./scripted-store.ts";
