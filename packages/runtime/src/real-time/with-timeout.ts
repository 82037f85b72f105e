/**
 * The answer, or a rejection with what `late` makes where it takes longer than so many milliseconds. An answer that was
 * there in time while this thread was busy with something else counts: it is read before the deadline is.
 */
export function withTimeout<T>(answer: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
