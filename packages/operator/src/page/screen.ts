import type { Html } from "@travel-booking/http/html";
import type { RebuildProgress } from "@travel-booking/read-models/control";

/** The operator interface, in the name of the operator who has signed in. Throws as `OperatorClient` does. */
export interface OperatorApi {
  get<Answer>(path: string): Promise<Answer>;
  /** The rows of `{ data: [...] }`. */
  list<Row>(path: string): Promise<readonly Row[]>;
  post<Answer>(path: string, body?: object): Promise<Answer>;
  delete(path: string): Promise<void>;
  /** Lines as they come. */
  lines<Line>(method: "GET" | "POST", path: string, body?: object): AsyncIterable<Line>;
}

/** A rebuild that somebody asked this instance for. */
export interface Rebuild {
  progress: RebuildProgress | undefined;
  /** How it ended. */
  end: string | undefined;
}

/** What operators began on this page and may take longer than a request. */
export interface Begun {
  /** By projection. */
  readonly rebuilds: Map<string, Rebuild>;
  /** How the last backup ended; undefined: there was none, or it is under way. */
  backupEnd: string | undefined;
}

/** A page that is asked for. */
export interface Visit {
  readonly api: OperatorApi;
  readonly begun: Begun;
  /** The operator's. */
  readonly name: string;
  /** Path and query, to come back to. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Of every form. */
  readonly formToken: string;
}

export interface Screen {
  /** An Express path. */
  readonly path: string;
  readonly title: string;
  /** @throws OperatorRefused | OperatorUnreachable shown instead. */
  readonly view: (visit: Visit) => Promise<Html>;
}

/** What a form does. */
export interface Action {
  readonly path: string;
  /** A sentence for the operator, who is sent back to where the form was; or markup, which is shown this once. */
  readonly run: (visit: Visit, form: Readonly<Record<string, string>>) => Promise<string | Html>;
}
