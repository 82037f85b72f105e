import type { Books, Customer, Metadata } from "./books.ts";
import type { Shape } from "./shape.ts";

export function createCustomer(books: Books, params: Shape): Shape {
  const customer: Customer = {
    ...params,
    id: books.newId("cus"),
    object: "customer",
    created: books.clock.seconds(),
    livemode: false,
    metadata: (params.metadata as Metadata | undefined) ?? {},
  };
  books.customers.set(customer.id, customer);
  books.emit("customer.created", customer);
  return customer;
}
