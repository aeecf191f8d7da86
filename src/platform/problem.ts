/** Which attributes are at fault, by path (`locales[0].title`), and what is wrong with each. */
export type FieldErrors = Record<string, string[]>

/** A failure that a caller can understand and act on. Anything else that is thrown is a defect. */
export class Problem extends Error {
  readonly code: string
  readonly status: number
  readonly fields: FieldErrors | undefined
  readonly headers: Record<string, string>

  constructor(
    code: string,
    status: number,
    message: string,
    options: { fields?: FieldErrors; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.fields = options.fields
    this.headers = options.headers ?? {}
  }
}

/** Declares an expected failure once, so that it is thrown by name. The message is read by shop owners. */
export function defineProblem<Details = void>(
  code: string,
  status: number,
  message: (details: Details) => string,
): (details: Details, cause?: unknown) => Problem {
  return (details, cause) => new Problem(code, status, message(details), { cause })
}

/** Turns an attribute's path into words: `price_license_binding[0].hd` becomes `Price license binding hd`. */
function words(path: string): string {
  const text = path
    .replace(/\[\d+\]/g, '')
    .replace(/[._]+/g, ' ')
    .trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** 422 that names every attribute at fault; the sentence tells of the first one. */
export function validationFailed(fields: FieldErrors): Problem {
  const [path, messages] = Object.entries(fields)[0] ?? ['', ['The request is not acceptable']]
  const sentence = `${words(path)} ${messages[0]}.`.trim()
  return new Problem('validation_failed', 422, sentence, { fields })
}

export const malformed = defineProblem<string>('malformed', 400, (message) => message)
export const notFound = defineProblem<string>('not_found', 404, (message) => message)
export const conflict = defineProblem<string>('conflict', 409, (message) => message)
export const forbidden = defineProblem<string>('forbidden', 403, (message) => message)

/** 503 that tells clients when to come back. */
export function unavailable(message: string, cause?: unknown): Problem {
  return new Problem('unavailable', 503, message, { headers: { 'retry-after': '1' }, cause })
}

/** Gathers what is wrong with an input, so that a caller learns all of it at once. */
export class FieldReport {
  readonly #fields: FieldErrors = Object.create(null)

  add(path: string, message: string): void {
    const messages = this.#fields[path]
    if (messages === undefined) this.#fields[path] = [message]
    else messages.push(message)
  }

  throwIfAny(): void {
    if (Object.keys(this.#fields).length > 0) throw validationFailed(this.#fields)
  }
}
