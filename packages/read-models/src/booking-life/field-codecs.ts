/** What the fields of a booking's events are written against: ids that follow from the booking's are not repeated. */
export interface FieldContext {
  readonly bookingId: string;
  /** "" before it is known. */
  readonly accountId: string;
}

/** How a field of an event is stored. Lossless for every JSON value but `false`. */
export interface FieldCodec {
  encode(value: unknown, context: FieldContext): unknown;
  decode(stored: unknown, context: FieldContext): unknown;
}

/** As it is. */
export const PLAIN: FieldCodec = { encode: (value) => value, decode: (stored) => stored };

function known(name: keyof FieldContext): FieldCodec {
  return {
    encode: (value, context) => (value === context[name] ? 0 : value),
    decode: (stored, context) => (stored === 0 ? context[name] : stored),
  };
}

/** The id of the booking, of its account: 0. */
export const BOOKING = known("bookingId");
export const ACCOUNT = known("accountId");

/** An id that is this prefix, the booking's digits and a rest: the rest; any other id in an array. */
export function within(prefix: string): FieldCodec {
  const start = ({ bookingId }: FieldContext) => prefix + bookingId.slice(bookingId.indexOf("_") + 1);
  return {
    encode(value, context) {
      const beginning = start(context);
      return String(value).startsWith(beginning) ? String(value).slice(beginning.length) : [value];
    },
    decode: (stored, context) => (Array.isArray(stored) ? stored[0] : start(context) + stored),
  };
}

/** An object with exactly these fields: its values; any other as it is. */
function shape(fields: Readonly<Record<string, FieldCodec>>): FieldCodec {
  const codecs = Object.entries(fields);
  return {
    encode(value, context) {
      const object = value as Readonly<Record<string, unknown>>;
      if (Object.keys(object).length !== codecs.length || !codecs.every(([name]) => name in object)) return value;
      return codecs.map(([name, codec]) => codec.encode(object[name], context));
    },
    decode(stored, context) {
      if (!Array.isArray(stored)) return stored;
      return Object.fromEntries(codecs.map(([name, codec], index) => [name, codec.decode(stored[index], context)]));
    },
  };
}

function listOf(codec: FieldCodec): FieldCodec {
  return {
    encode: (value, context) => (value as readonly unknown[]).map((each) => codec.encode(each, context)),
    decode: (stored, context) => (stored as readonly unknown[]).map((each) => codec.decode(each, context)),
  };
}

export const PASSENGERS = listOf(shape({ name: PLAIN, email: PLAIN }));
export const METHOD = shape({
  type: PLAIN,
  card: shape({ brand: PLAIN, last4: PLAIN, expMonth: PLAIN, expYear: PLAIN }),
  saveCard: PLAIN,
});
export const CREDIT_GIVEN_UP = shape({ accountId: ACCOUNT, creditId: PLAIN, amount: PLAIN });
export const POINTS_RATE = shape({ points: PLAIN, per: PLAIN });
export const PENDING_POINTS = shape({ accountId: ACCOUNT, from: PLAIN, to: PLAIN });
