export { LocalProgress } from "./local-progress.ts";
export { type Change, foldedModel, type Handler, type Projection } from "./projection.ts";
export { projections } from "./projections/index.ts";
export { Projector, type ProjectorOptions } from "./projector.ts";
export { startLeasedProjections } from "./start-leased-projections.ts";
export { serveProjector, type ThreadPort } from "./thread-server.ts";
