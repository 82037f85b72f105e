import { proxyMissing } from "../../deployment/kit/proxy.ts";

/** Among what a suite needs, for one that starts an installation: its reverse proxy is started with that. */
export const needsProxy = Object.assign(async () => ({ stop: async () => undefined }), { missing: proxyMissing });
