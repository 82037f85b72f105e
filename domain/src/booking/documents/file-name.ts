import type { DocumentContentType } from "./events.ts";

/** Most characters (UTF-16 code units) of a file name that is shown. */
export const MAX_FILE_NAME_LENGTH = 255;
const LONGEST_EXTENSION = 16;

const ENDINGS: Readonly<Record<DocumentContentType, string>> = {
  "application/pdf": "pdf",
  "image/png": "png",
  "image/jpeg": "jpg",
};

/** Controls, line ends, and marks that turn the direction of what follows: none of them can be seen in a name. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * A file's name as it is shown: as the client named it, but without folders, without what can't be seen, and of a
 * bounded length. Where nothing is left it is named for what it is.
 */
export function displayFileName(name: string, contentType: DocumentContentType): string {
  const own = name.toWellFormed().replaceAll("\\", "/").split("/").at(-1) ?? "";
  const seen = own.replaceAll(INVISIBLE, "").trim();
  if (seen === "" || seen === "." || seen === "..") return `document.${ENDINGS[contentType]}`;
  return truncated(seen);
}

/** Keeps the ending, which says what it is. */
function truncated(name: string): string {
  if (name.length <= MAX_FILE_NAME_LENGTH) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : "";
  const kept = name.slice(0, MAX_FILE_NAME_LENGTH - ending.length);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}${ending}`;
}
