import { expect, test } from "@jest/globals";
import { callsOfRequests } from "../calls.ts";

test("what a booking and a list meet is seen on the thread where it runs", async () => {
  const { booking, list } = await callsOfRequests();
  const rooms = (files: readonly string[]) => files.map((file) => file.slice(0, file.indexOf("/src/")));
  expect(booking.answering.files).toContain("domain/src/booking/decider.ts");
  expect(booking.projecting.files).toContain("projector/src/projections/bookings/bookings.ts");
  expect(list.files).toContain("query-service/src/bookings.ts");
  expect(rooms(booking.answering.files)).not.toContain("query-service");
  expect(rooms(booking.projecting.files)).not.toContain("packages/http");
  expect(rooms(list.files)).not.toContain("domain");
});
