/** What a log shows of an error. */
export type ErrorSummary = { type: string; message: string; code?: string; stack?: string; cause?: ErrorSummary }

/** An error that is its own cause would never end. */
const CAUSES_MAX = 3

/**
 * Reduces an error to what a log may show. The errors of drivers carry their connections, with keys and addresses in
 * them, so no other field is taken over.
 */
export function summarise(error: unknown, causesMax = CAUSES_MAX): ErrorSummary {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'string' ? error : '' }
  const { name, message, stack, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  return {
    type: error.constructor.name || name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || causesMax === 0 ? {} : { cause: summarise(cause, causesMax - 1) }),
  }
}

/** The stacks of an error and of its causes, for a terminal. */
export function withCauses(error: unknown): string {
  const texts: string[] = []
  for (let summary: ErrorSummary | undefined = summarise(error); summary !== undefined; summary = summary.cause)
    texts.push(summary.stack ?? summary.message)
  return texts.join('\nCaused by: ')
}
