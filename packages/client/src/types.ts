import type { paths } from "./generated.ts";

// What the interface description says about a request, by method and path template.

export type Method = "get" | "post" | "patch" | "delete";

/** The path templates that take the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];

type OperationOf<M extends Method, P extends keyof paths> = paths[P][M];

/** Its query parameters; never: it takes none. */
export type QueryOf<M extends Method, P extends keyof paths> =
  OperationOf<M, P> extends {
    parameters: { query?: infer Query };
  }
    ? NonNullable<Query>
    : never;

/** Its JSON body. */
export type BodyOf<M extends Method, P extends keyof paths> =
  OperationOf<M, P> extends {
    requestBody?: infer Body;
  }
    ? NonNullable<Body> extends { content: { "application/json": infer Json } }
      ? Json
      : never
    : never;

/** The names in its path template. */
export type IdsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | IdsOf<Rest> : never;

/** The JSON it answers; undefined: it answers no body. */
export type AnswerOf<M extends Method, P extends keyof paths> =
  OperationOf<M, P> extends {
    responses: infer Responses;
  }
    ? Responses[keyof Responses] extends { content: { "application/json": infer Json } }
      ? Json
      : undefined
    : never;

/** One entry of the list it answers. */
export type EntryOf<P extends PathOf<"get">> = AnswerOf<"get", P> extends { data: (infer Entry)[] } ? Entry : never;
