/** Keeps answers under an Idempotency-Key as they are. */
export const NOTHING_SEALED = { sealAnswer: (text: string) => text, openAnswer: (text: string) => text };
