import { openApiDocument } from "@travel-booking/api-contract";
import type { Page, Route } from "@travel-booking/http";
import { docsPage } from "./docs-page.ts";
import { getInterface } from "./get-interface.ts";

export interface PublishedInterface {
  readonly routes: readonly Route[];
  readonly pages: Readonly<Record<string, Page>>;
}

/** The interface description in both its forms, made once. @param limited whether requests are counted. */
export function publishedInterface(limited: boolean): PublishedInterface {
  const document = openApiDocument({ limited, baseUrl: "http://localhost" });
  const documentAt = (baseUrl: string) => ({
    ...document,
    externalDocs: { ...document.externalDocs, url: `${baseUrl}/docs` },
  });
  return { routes: [getInterface(documentAt)], pages: { "/docs": docsPage(document) } };
}
