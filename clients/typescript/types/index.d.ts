// The types of ../src/index.js. What the server sends and accepts is in api.d.ts, generated from its OpenAPI document.

import type { components, paths } from "./api.js";

export type { components, operations, paths } from "./api.js";

/** The named types of the OpenAPI document. */
export type Schemas = components["schemas"];
export type Change = Schemas["Change"];
export type Choice = Schemas["Choice"];
export type Decision = Schemas["Decision"];
export type Outcome = Schemas["Outcome"];
export type Session = Schemas["Session"];
export type View = Schemas["View"];

type Method = "get" | "post" | "put" | "delete";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, infer O> ? ([O] extends [undefined] ? never : P) : never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type ParametersOf<O> = O extends { parameters: infer Found } ? Found : never;
type QueryOf<O> = ParametersOf<O> extends { query?: infer Query } ? Query : never;
type ValuesOf<O> = ParametersOf<O> extends { path: infer Values } ? { path: Values } : { path?: never };
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: { content: { "application/json": infer Body } } }
    ? { body?: Body }
    : { body?: never };
type ContentOf<R> = R extends { content: { "application/json": infer Found } } ? Found : never;
type ResponsesOf<O> = O extends { responses: infer Found } ? Found : never;
type Succeeding<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? ContentOf<R[S]> : never }[keyof R];

/** The JSON of a successful answer; `undefined` if an operation answers without content. */
export type Answer<P extends keyof paths, M extends Method> = [Succeeding<ResponsesOf<OperationOf<P, M>>>] extends [never]
  ? undefined
  : Succeeding<ResponsesOf<OperationOf<P, M>>>;

export type Options<O> = ValuesOf<O> &
  BodyOf<O> & {
    query?: QueryOf<O>;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  };

type Rest<T> = Record<string, never> extends T ? [options?: T] : [options: T];
type OptionsOf<P extends keyof paths, M extends Method> = Rest<Options<OperationOf<P, M>>>;
type ItemOf<P extends keyof paths> = Answer<P, "get"> extends { items: (infer Item)[] } ? Item : never;

/** An answer that is a problem (RFC 9457). */
export class Problem extends Error {
  constructor(status: number, body: Partial<Schemas["Problem"]>);
  readonly status: number;
  /** Names the kind of problem; `GET /problems/{code}` describes it. Newer servers may send other codes. */
  readonly code: Schemas["ProblemCode"] | "unknown" | (string & {});
  /** The rule that forbids a choice, with its clauses. */
  readonly reason?: Schemas["Reason"];
  readonly body: Partial<Schemas["Problem"]>;
}

export interface ClientOptions {
  /** A token of a player, a seat, an owner or a spectator, or an API key. */
  token?: string;
  /** For whom the credential acts, as in `Act-As`: `me;seat=2`, or a player of an API key. */
  actAs?: string;
  /** The languages in which texts are wanted, as in `Accept-Language`. */
  language?: string;
  /** How often a request is repeated after a failed connection, or 429, 502, 503 or 504. Defaults to 8. */
  retries?: number;
  /** Milliseconds that a request waits at most before it is repeated; a server that wants more is a problem. Defaults to no limit. */
  patience?: number;
  /** Milliseconds without a sign of life after which a stream connects again. Defaults to 60,000. */
  idle?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * A message of a stream. Each connection begins with a `snapshot`. `resumed` tells whether all changes after the last known one
 * follow; otherwise the client was too far behind, or knew none, and continues from the snapshot.
 */
export type Message =
  | { kind: "snapshot"; id: string; data: View & { decisions: Decision[] }; resumed: boolean }
  | { kind: "change"; id: string; data: Change }
  | { kind: "message"; id?: undefined; data: Schemas["ReadMessage"] }
  | { kind: "end"; id?: string; data: Schemas["StreamEnd"] };

/** What happens in the sessions of a player. The first connection begins with a `snapshot` of the most urgent ones. */
export type News =
  | { kind: "snapshot"; id: string; data: Schemas["PlayerSnapshot"] }
  | { kind: "started" | "turn" | "offer" | "moved" | "finished"; id: string; data: Schemas["PlayerMessage"] };

/** Whether an event is of this type. Newer servers may send types that nobody knows here; ignore those. */
export function isEvent<T extends Schemas["KnownEvent"]["type"]>(
  event: Schemas["GameEvent"],
  type: T,
): event is Extract<Schemas["KnownEvent"], { type: T }>;

/** A choice of a decision, or one in words, as in `{option: "move", args: {e: "fire"}}`. */
export type Chosen = Pick<Choice, "id"> | Schemas["NewMove"];

export interface StreamOptions {
  /** The last message that is known already: its id, or the version of its change. */
  after?: string | number;
  /** Called when the stream is connected, and when it has lost its connection and is about to connect again. */
  connection?: (state: "live" | "lost") => void;
  signal?: AbortSignal;
}

export interface MessagesOptions extends StreamOptions {
  include?: ("actions" | "view")[];
  form?: "patch";
  /** Whether messages of the table are part of the stream. */
  messages?: boolean;
}

export interface PlayOptions {
  /** The token of the seat, if it is taken already. */
  token?: string;
  /** The name under which the seat is taken. */
  name?: string;
  /** Ends the game for this player; the seat stays taken. */
  signal?: AbortSignal;
}

export class Client {
  /** @param server The address of a server, such as `http://127.0.0.1:8080`; an empty string is the page's own server. */
  constructor(server: string | URL, options?: ClientOptions);
  /** The same client with another credential. */
  as(token: string): Client;
  get<P extends PathOf<"get">>(path: P, ...options: OptionsOf<P, "get">): Promise<Answer<P, "get">>;
  post<P extends PathOf<"post">>(path: P, ...options: OptionsOf<P, "post">): Promise<Answer<P, "post">>;
  put<P extends PathOf<"put">>(path: P, ...options: OptionsOf<P, "put">): Promise<Answer<P, "put">>;
  delete<P extends PathOf<"delete">>(path: P, ...options: OptionsOf<P, "delete">): Promise<Answer<P, "delete">>;
  /** An answer as text: the short form for people and language models, `board.txt`, `board.svg`, a rulebook. */
  text<P extends PathOf<"get">>(path: P, ...options: OptionsOf<P, "get">): Promise<string>;
  /** All items of a list, page by page. */
  items<P extends PathOf<"get">>(path: P, ...options: OptionsOf<P, "get">): AsyncGenerator<ItemOf<P>, void, undefined>;
  /** Sends a request and repeats it if that can help; writes carry an idempotency key, so they take effect once. */
  request(
    method: string,
    path: string,
    options?: {
      path?: Record<string, string | number>;
      query?: Record<string, unknown>;
      body?: unknown;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    },
  ): Promise<Response>;
  /** The stream of a session, which resumes by `Last-Event-ID` until the game is over. */
  messages(session: string, options?: MessagesOptions): AsyncGenerator<Message, void, undefined>;
  /** What happens in all sessions of the player whose token this client has: one stream, which resumes, without an end. */
  news(options?: StreamOptions): AsyncGenerator<News, void, undefined>;
  /** Takes a seat, also if an answer is lost on the way. Returns a client that acts for it. */
  sit(session: string, seat: number, claim?: Schemas["NewClaim"]): Promise<Client>;
  /**
   * Takes a seat and plays it to the end, with one request per move. `choose` gets each decision that the seat owes, and its view.
   * Returns the outcome.
   */
  play(
    session: string,
    seat: number,
    choose: (decision: Decision, view: View) => Chosen | Promise<Chosen>,
    options?: PlayOptions,
  ): Promise<Outcome>;
}
