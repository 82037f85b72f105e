/** What came back over HTTP. */
export interface TestResponse<Body = unknown> {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed, where it is JSON. */
  readonly body: Body;
}

/** An answer on one line, for the messages of failed checks. */
export function describeResponse({ method, path, status, text }: TestResponse): string {
  return `${method} ${path.slice(0, 200)} answered ${status} ${text.slice(0, 500)}`;
}
