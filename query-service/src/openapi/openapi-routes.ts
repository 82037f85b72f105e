import { openApiDocument } from "@travel-booking/api-contract";
import type { PlainRoute, Route } from "@travel-booking/http";
import { docsPage } from "./docs-page.ts";
import { getInterface } from "./get-interface.ts";

export interface OpenApiRoutes {
  readonly routes: readonly Route[];
  readonly pages: readonly PlainRoute[];
}

/** The interface description in both its forms, made once. @param limited whether requests are counted. */
export function openApiRoutes(limited: boolean): OpenApiRoutes {
  const document = openApiDocument({ rateLimited: limited, baseUrl: "http://localhost" });
  const documentAt = (baseUrl: string) => ({
    ...document,
    externalDocs: { ...document.externalDocs, url: `${baseUrl}/docs` },
  });
  return { routes: [getInterface(documentAt)], pages: [docsPage(document)] };
}
