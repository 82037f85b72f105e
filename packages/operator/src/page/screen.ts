import type { Html } from "@travel-booking/http/html";
import type { RebuildProgress } from "@travel-booking/read-models/control";

/** The operator interface, called in the name of the signed-in operator. Throws as `OperatorClient` does. */
export interface OperatorApi {
  get<Answer>(path: string): Promise<Answer>;
  /** The rows of `{ data: [...] }`. */
  list<Row>(path: string): Promise<readonly Row[]>;
  /** Carries out a command. The same once more from the same load of the page counts once. */
  post<Answer>(path: string, body?: object): Promise<Answer>;
  delete(path: string): Promise<void>;
  /** A POST that changes nothing. */
  ask<Answer>(path: string, body: object): Promise<Answer>;
  /** JSON lines as they arrive. */
  lines<Line>(method: "GET" | "POST", path: string, body?: object): AsyncGenerator<Line>;
}

/** A rebuild that an operator started on this instance. */
export interface Rebuild {
  progress: RebuildProgress | undefined;
  /** The result; undefined while it runs. */
  end: string | undefined;
}

/** Work that operators began on this page and that may outlast a request. */
export interface Begun {
  /** By projection. */
  readonly rebuilds: Map<string, Rebuild>;
  /** The result of the last backup; undefined if there was none, or it is running. */
  backupEnd: string | undefined;
}

/** A request for a page. */
export interface Visit {
  readonly api: OperatorApi;
  readonly begun: Begun;
  /** The operator's name. */
  readonly name: string;
  /** Nothing that is stored changes. */
  readonly readOnly: boolean;
  /** Path and query of the page, to return to. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The token that every form must carry. */
  readonly formToken: string;
  /** The token of a form that asks for this name to be typed before this action. */
  readonly nameToken: (action: string, name: string) => string;
  /** Names this load of the page in its forms: what is sent twice from it counts once. */
  readonly load: string;
  /** The form that was refused, where the page is shown with it again. */
  readonly refused?: Refused | undefined;
}

/** A form that was refused. Its page shows it as it was sent, with what is wrong beside each field. */
export interface Refused {
  /** The path of its action. */
  readonly action: string;
  readonly form: Readonly<Record<string, string>>;
  /** A line that begins with the name of a field is about that. */
  readonly problems: readonly string[];
  /** True once the form is found on its page. */
  shown: boolean;
}

/** What an action shows once, in place of a page. */
export interface Shown {
  readonly title: string;
  readonly content: Html;
}

export interface Screen {
  /** An Express path. */
  readonly path: string;
  readonly title: string;
  /** @throws OperatorRefused | OperatorUnreachable the error is shown instead. */
  readonly view: (visit: Visit) => Promise<Html>;
  /**
   * Another text once the page has changed, for a page that costs more to look at. Without it a page that is left
   * open is rendered to know. @param known what this returned last.
   */
  readonly version?: (visit: Visit, known: string | undefined) => Promise<string>;
}

/** The action of a form. */
export interface Action {
  readonly path: string;
  /** It is done only by a form that `danger` made, once the name that this asks for is typed. */
  readonly isDangerous?: boolean;
  /** Returns a sentence for the operator, who is sent back to the form's page; or what is shown once. */
  readonly run: (visit: Visit, form: Readonly<Record<string, string>>) => Promise<string | Shown>;
}

/** Something to be looked at or kept that is no page. */
export interface File {
  /** An Express path. */
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** The name under which a browser keeps it; absent: it shows it. */
  readonly nameOf?: (visit: Visit) => string;
  /** @throws OperatorRefused | OperatorUnreachable before the first piece: the error is shown instead. */
  readonly content: (visit: Visit) => AsyncGenerator<string | Uint8Array>;
}
