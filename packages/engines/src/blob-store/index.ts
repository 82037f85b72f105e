export * from "./errors.ts";
export { openFolderBlobStore } from "./folder/folder-blob-store.ts";
export { type GridFsOptions, openGridFsBlobStore } from "./gridfs/gridfs-blob-store.ts";
export * from "./port.ts";
