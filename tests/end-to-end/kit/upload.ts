import type { BookingBody, TravelDocumentBody } from "@travel-booking/api-contract";
import { type Client, expectStatus } from "./client.ts";
import type { TestResponse } from "./test-response.ts";

export interface Part {
  readonly name?: string;
  readonly fileName?: string;
  readonly content: Uint8Array | string;
  readonly contentType?: string;
}

const BOUNDARY = "----between-the-parts";
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** A multipart body of these parts. */
export function multipartOf(...parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name = "file", fileName, content, contentType }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(fileName === undefined ? "" : `; filename="${fileName}"`),
    Buffer.from(contentType === undefined ? "\r\n\r\n" : `\r\nContent-Type: ${contentType}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

type Headers = Readonly<Record<string, string>>;

/** Uploads a file, as a browser would. */
export function upload(
  client: Client,
  bookingId: string,
  file: Omit<Part, "name">,
  headers: Headers = {},
): Promise<TestResponse<BookingBody>> {
  const body = multipartOf({ fileName: "scan.pdf", contentType: "application/octet-stream", ...file });
  return client.post<BookingBody>(`/v1/bookings/${bookingId}/documents`, body, {
    "content-type": MULTIPART,
    ...headers,
  });
}

export async function documentsOf(client: Client, bookingId: string): Promise<readonly TravelDocumentBody[]> {
  const answer = await client.get<{ data: readonly TravelDocumentBody[] }>(`/v1/bookings/${bookingId}/documents`);
  return expectStatus(200, answer).data;
}
