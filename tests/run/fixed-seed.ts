import fc from "fast-check";

/**
 * Before each test file: properties draw the same values in every run, so that none fails by chance. `PROPERTY_SEED`
 * draws others; a property that fails prints its seed.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });
