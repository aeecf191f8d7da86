/**
 * For a promise that is awaited after something else. Node ends the process if a promise rejects before anybody waits for it. If
 * the other thing fails first, that is the error to report, and this promise may reject unnoticed.
 */
export function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {})
  return promise
}
