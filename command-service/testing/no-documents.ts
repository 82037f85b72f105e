import type { DocumentServices } from "../src/services.ts";

const none = async (): Promise<never> => {
  throw new Error("there are no documents here");
};

/** For services that are never asked for a document. */
export const NO_DOCUMENTS: DocumentServices = {
  uploads: {
    begin: none,
    store: none,
    read: none,
    complete: none,
    discard: none,
    sealAnew: none,
    listBegunBefore: async () => [],
  },
  reviewer: { read: none, draw: none },
};
