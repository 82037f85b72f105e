import { setFlagsFromString } from "node:v8";

// Loaded before the service: each collection is then a line on standard output.
setFlagsFromString("--trace-gc");
