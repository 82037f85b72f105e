import type { Api } from "../api.ts";
import type {
  AnswerDisruption,
  BoardingPasses,
  Booking,
  BookingHistoryEntry,
  BookingSummary,
  CancelBooking,
  CancellationQuote,
  ChangeBooking,
  CreateBooking,
  Disruption,
  Flight,
  Payment,
  RebookDisruption,
  TravelDocument,
} from "../generated.ts";
import type { Listing } from "../listing.ts";
import type { CallOptions, CommandOptions } from "../transport.ts";
import type { QueryOf } from "../types.ts";

export class Bookings {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  create(body: CreateBooking, options?: CommandOptions): Promise<Booking> {
    return this.#api.call("post", "/v1/bookings", { body }, options);
  }

  /** Newest first. */
  list(query?: QueryOf<"get", "/v1/bookings">, options?: CallOptions): Listing<Booking> {
    return this.#api.list("/v1/bookings", { query }, options);
  }

  /** With `asOf`, as it was at that moment. */
  retrieve(id: string, query?: QueryOf<"get", "/v1/bookings/{id}">, options?: CallOptions): Promise<Booking> {
    return this.#api.call("get", "/v1/bookings/{id}", { ids: { id }, query }, options);
  }

  /** Only what changes. */
  update(id: string, body: ChangeBooking, options?: CommandOptions): Promise<Booking> {
    return this.#api.call("patch", "/v1/bookings/{id}", { ids: { id }, body }, options);
  }

  cancel(id: string, body: CancelBooking = {}, options?: CommandOptions): Promise<Booking> {
    return this.#api.call("post", "/v1/bookings/{id}/cancel", { ids: { id }, body }, options);
  }

  /** Its times, what its price is made of, its payments and its metadata. */
  summary(id: string, options?: CallOptions): Promise<BookingSummary> {
    return this.#api.call("get", "/v1/bookings/{id}/summary", { ids: { id } }, options);
  }

  /** What a cancellation would give back now. */
  cancellationQuote(id: string, options?: CallOptions): Promise<CancellationQuote> {
    return this.#api.call("get", "/v1/bookings/{id}/cancellation-quote", { ids: { id } }, options);
  }

  /** Oldest first. */
  history(
    id: string,
    query?: QueryOf<"get", "/v1/bookings/{id}/history">,
    options?: CallOptions,
  ): Listing<BookingHistoryEntry> {
    return this.#api.list("/v1/bookings/{id}/history", { ids: { id }, query }, options);
  }

  /** Newest first. */
  payments(id: string, query?: QueryOf<"get", "/v1/bookings/{id}/payments">, options?: CallOptions): Listing<Payment> {
    return this.#api.list("/v1/bookings/{id}/payments", { ids: { id }, query }, options);
  }

  /** All of them, oldest first. */
  async disruptions(id: string, options?: CallOptions): Promise<Disruption[]> {
    return (await this.#api.call("get", "/v1/bookings/{id}/disruptions", { ids: { id } }, options)).data;
  }

  /** Of one passenger, by place on the booking, or of all. A file has the name to save it as. */
  boardingPass(
    id: string,
    query: BoardingPassQuery & { format: "json" },
    options?: CallOptions,
  ): Promise<BoardingPasses>;
  boardingPass(
    id: string,
    query?: BoardingPassQuery & { format?: "pdf" | "png" },
    options?: CallOptions,
  ): Promise<File>;
  boardingPass(id: string, query: BoardingPassQuery = {}, options: CallOptions = {}): Promise<BoardingPasses | File> {
    const read = query.format === "json" ? (response: Response) => response.json() as Promise<BoardingPasses> : fileOf;
    return this.#api.read<"get", "/v1/bookings/{id}/boarding-pass", BoardingPasses | File>(
      "get",
      "/v1/bookings/{id}/boarding-pass",
      { ids: { id }, query },
      options,
      read,
    );
  }

  /** A passport or visa scan: PDF, PNG or JPEG, up to 10 MB. A `File` has its own name. */
  uploadDocument(id: string, file: Blob, options: CommandOptions & { fileName?: string } = {}): Promise<Booking> {
    const body = new FormData();
    const name = options.fileName ?? (file instanceof File ? file.name : "document");
    body.append("file", file, name);
    return this.#api.call("post", "/v1/bookings/{id}/documents", { ids: { id }, body }, options);
  }

  /** All of them, oldest first. */
  async documents(id: string, options?: CallOptions): Promise<TravelDocument[]> {
    return (await this.#api.call("get", "/v1/bookings/{id}/documents", { ids: { id } }, options)).data;
  }
}

/** What changes of their flights mean for bookings. */
export class Disruptions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. */
  list(query?: QueryOf<"get", "/v1/disruptions">, options?: CallOptions): Listing<Disruption> {
    return this.#api.list("/v1/disruptions", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<Disruption> {
    return this.#api.call("get", "/v1/disruptions/{id}", { ids: { id } }, options);
  }

  /** The flights that the booking may move to, the nearest departure first. */
  alternatives(
    id: string,
    query?: QueryOf<"get", "/v1/disruptions/{id}/alternatives">,
    options?: CallOptions,
  ): Listing<Flight> {
    return this.#api.list("/v1/disruptions/{id}/alternatives", { ids: { id }, query }, options);
  }

  accept(id: string, body: AnswerDisruption, options?: CommandOptions): Promise<Disruption> {
    return this.#api.call("post", "/v1/disruptions/{id}/accept", { ids: { id }, body }, options);
  }

  /** Moves to another flight. What was paid stays as it is. */
  rebook(id: string, body: RebookDisruption, options?: CommandOptions): Promise<Disruption> {
    return this.#api.call("post", "/v1/disruptions/{id}/rebook", { ids: { id }, body }, options);
  }

  /** Cancels the booking, and everything paid goes back. */
  refund(id: string, body: AnswerDisruption, options?: CommandOptions): Promise<Disruption> {
    return this.#api.call("post", "/v1/disruptions/{id}/refund", { ids: { id }, body }, options);
  }
}

type BoardingPassQuery = QueryOf<"get", "/v1/bookings/{id}/boarding-pass">;

async function fileOf(response: Response): Promise<File> {
  const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "boarding-pass";
  return new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" });
}
