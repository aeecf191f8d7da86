/** Turns a thrown value into an error, which it nearly always is already. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
