import type * as oas31 from "openapi3-ts/oas31";

export type {
  ExampleObject,
  HeaderObject,
  ParameterObject,
  ReferenceObject as Reference,
  SchemaObject as Schema,
} from "openapi3-ts/oas31";

// These fields are optional in OpenAPI, but every answer and every operation of this document has them.

export interface ResponseObject extends oas31.ResponseObject {
  headers: oas31.HeadersObject;
}

export interface OperationObject extends oas31.OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: oas31.SecurityRequirementObject[];
  parameters: (oas31.ParameterObject | oas31.ReferenceObject)[];
  requestBody?: oas31.RequestBodyObject;
  responses: Record<string, ResponseObject | oas31.ReferenceObject>;
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: oas31.InfoObject & { description: string };
  servers: oas31.ServerObject[];
  tags: Required<Pick<oas31.TagObject, "name" | "description">>[];
  /** By path and method in lower case. */
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, { post: OperationObject }>;
  components: {
    schemas: Record<string, oas31.SchemaObject>;
    parameters: Record<string, oas31.ParameterObject>;
    headers: Record<string, oas31.HeaderObject>;
    responses: Record<string, ResponseObject>;
    securitySchemes: Record<string, oas31.SecuritySchemeObject>;
  };
}
