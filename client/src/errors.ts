/** What is wrong with a field: a word that never changes, and a text for people. */
export type FieldError = { reason: string; message: string }

/** What the service said about a request that it refused. */
export type ErrorDetails = {
  status: number
  code: string
  reason: string
  errors: Record<string, string[]>
  fieldErrors: Record<string, FieldError[]>
  requestId: string | undefined
  retryAfterSeconds: number | undefined
  body: unknown
}

/** A request that the service refused. `code` says which kind of refusal it is, and `reason` which one exactly. */
export class LicetError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: string
  /** What is wrong with which field, by its path, such as `line_items[0].product_id`. */
  readonly errors: Record<string, string[]>
  /** The same, with a reason for each. */
  readonly fieldErrors: Record<string, FieldError[]>
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The answer as it came. */
  readonly body: unknown

  constructor(message: string, details: ErrorDetails) {
    super(message)
    this.name = new.target.name
    this.status = details.status
    this.code = details.code
    this.reason = details.reason
    this.errors = details.errors
    this.fieldErrors = details.fieldErrors
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.body = details.body
  }
}

export class MalformedRequestError extends LicetError {}
export class UnauthorizedError extends LicetError {}
export class ForbiddenError extends LicetError {}
export class InsufficientScopeError extends ForbiddenError {}
export class NotFoundError extends LicetError {}
export class ConflictError extends LicetError {}
/** Somebody else has changed the document since it was read: `body.current` has it as it is now. */
export class ChangedError extends LicetError {}
export class ValidationError extends LicetError {}
export class RateLimitedError extends LicetError {}
export class UnavailableError extends LicetError {}
/** The customer exists, and has another password. */
export class PasswordDiffersError extends LicetError {}
/** The tokens are used up or revoked: send the user to the prompt again. */
export class AuthorizationRequiredError extends LicetError {}

/** No answer came: the network failed, or the time was over. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

const CLASSES: Record<string, typeof LicetError> = {
  malformed: MalformedRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  insufficient_scope: InsufficientScopeError,
  not_found: NotFoundError,
  conflict: ConflictError,
  precondition_failed: ChangedError,
  validation_failed: ValidationError,
  rate_limited: RateLimitedError,
  unavailable: UnavailableError,
  password_differs: PasswordDiffersError,
  invalid_grant: AuthorizationRequiredError,
}

/** Answers that did not come from the service itself, but from a proxy before it, have a status only. */
const CODES: Record<number, string> = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'unavailable',
  504: 'unavailable',
}

/** The error_code that the service sends with status 200. */
const PASSWORD_DIFFERS = -1

type ErrorBody = Partial<{
  error: string
  error_code: number
  code: string
  reason: string
  errors: Record<string, string[]>
  field_errors: Record<string, FieldError[]>
  request_id: string
  /** Of the OAuth endpoints, where `error` is the code (RFC 6749). */
  error_description: string
}>

export function isError(status: number, body: unknown): boolean {
  return status >= 400 || errorBody(body).error_code === PASSWORD_DIFFERS
}

export function errorOf(status: number, headers: Headers, body: unknown): LicetError {
  const {
    error,
    error_code,
    error_description,
    code,
    reason,
    errors = {},
    field_errors = {},
    request_id,
  } = errorBody(body)
  const oauthCode = error_description === undefined ? undefined : error
  const ownCode = error_code === PASSWORD_DIFFERS ? 'password_differs' : code
  const foundCode = ownCode ?? oauthCode ?? CODES[status] ?? 'unknown'
  return new (CLASSES[foundCode] ?? LicetError)(error_description ?? error ?? `The answer has the status ${status}.`, {
    status,
    code: foundCode,
    reason: reason ?? foundCode,
    errors,
    fieldErrors: field_errors,
    requestId: request_id ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers),
    body,
  })
}

function errorBody(body: unknown): ErrorBody {
  return typeof body === 'object' && body !== null ? body : {}
}

/** `Retry-After` is a number of seconds or a date (RFC 9110). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
