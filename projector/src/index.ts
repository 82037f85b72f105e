export { startLeasedProjections } from "./leased-projections.ts";
export { LocalProgress } from "./local-progress.ts";
export { aggregateIdOf, type Change, type Handler, type Projection } from "./projection.ts";
export { projections } from "./projections/index.ts";
export { Projector, type ProjectorOptions } from "./projector.ts";
export { serveProjector, type ThreadPort } from "./thread-server.ts";
