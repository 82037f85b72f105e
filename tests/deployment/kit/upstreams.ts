/** The base addresses of the instances of each service, `http://127.0.0.1:3000`; none: it is not there. */
export interface Upstreams {
  readonly command: readonly string[];
  readonly query: readonly string[];
  readonly dispatcher: readonly string[];
  /** Their operator interfaces. */
  readonly operator?: { readonly command: readonly string[]; readonly dispatcher: readonly string[] };
}

/** As docker-compose.yml has it, but for the name it has looked up. */
const FAIL_OPTIONS = "max_fails=1 fail_timeout=2s";
/** An upstream must have a server. */
const DOWN_SERVER = "server 127.0.0.1:1 down;";

/** What the template wants to know of them: nginx's `server` directives. */
export function upstreamVariables({ command, query, dispatcher, operator }: Upstreams) {
  return {
    PROXY_COMMAND_SERVERS: serverDirectives(command),
    PROXY_QUERY_SERVERS: serverDirectives(query),
    PROXY_DISPATCHER_SERVERS: serverDirectives(dispatcher),
    PROXY_COMMAND_OPERATOR_SERVERS: serverDirectives(operator?.command),
    PROXY_DISPATCHER_OPERATOR_SERVERS: serverDirectives(operator?.dispatcher),
  };
}

function serverDirectives(addresses: readonly string[] = []): string {
  if (addresses.length === 0) return DOWN_SERVER;
  return addresses.map((address) => `server ${new URL(address).host} ${FAIL_OPTIONS};`).join(" ");
}
