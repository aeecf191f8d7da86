import { problemsOf } from '../errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Any request')

const REALM = 'Bearer realm="licet"'

export const accessTokenRequired = defineProblem('access_token_required', {
  code: 'unauthorized',
  message: 'access_token required',
  headers: () => ({ 'www-authenticate': REALM }),
  when: 'The request carries no access token.',
  remedy: 'Send the token as `Authorization: Bearer …`, or as `access_token` in the query.',
})

export const accessTokenInvalid = defineProblem('access_token_invalid', {
  code: 'unauthorized',
  message: 'invalid access_token',
  headers: () => ({
    'www-authenticate': `${REALM}, error="invalid_token", error_description="invalid access_token"`,
  }),
  when: 'The access token is unknown, or the grant behind it has ended.',
  remedy: 'Exchange the refresh token for a new access token. If that fails too, send the user to the prompt again.',
})

export const accessTokenExpired = defineProblem('access_token_expired', {
  code: 'unauthorized',
  message: 'expired',
  headers: () => ({ 'www-authenticate': `${REALM}, error="invalid_token", error_description="expired"` }),
  when: 'The access token was valid, and its time is over.',
  remedy: 'Exchange the refresh token for a new access token, and send the request again.',
})

export const scopeMissing = defineProblem<readonly string[]>('scope_missing', {
  code: 'insufficient_scope',
  message: (needed) => `This needs the scope ${needed.join(' or ')}, which the access token does not have.`,
  headers: (needed) => ({
    'www-authenticate': `${REALM}, error="insufficient_scope", scope="${needed.join(' ')}"`,
  }),
  when: 'The access token does not have the scope that the endpoint needs.',
  remedy: 'Send the user to the prompt again, and ask for the scope that `error` names.',
})

export const documentChanged = defineProblem<string>('document_changed', {
  code: 'precondition_failed',
  message: 'This has been changed by somebody else meanwhile.',
  current: (document) => document,
  when: 'The `ETag` in `If-Match` is not that of the document as it is now, which `current` has. Nothing is changed.',
  remedy: 'Show the difference to the user, and send the change again with the `ETag` of a new read.',
})

export const tooManyRequests = defineProblem<number>('too_many_requests', {
  code: 'rate_limited',
  message: (seconds) => `Too many requests: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'The app sent more requests for this company than the limit allows.',
  remedy: 'Wait for `Retry-After` seconds. `RateLimit-Remaining` tells how many requests are left.',
})

export const endpointNotFound = defineProblem<string>('endpoint_not_found', {
  code: 'not_found',
  message: (request) => `There is nothing at ${request}.`,
  when: 'No endpoint has this path.',
  remedy: 'Compare the path with the reference at `/docs`.',
})

export const methodNotAllowed = defineProblem<{ method: string; allowed: string[] }>('method_not_allowed', {
  code: 'method_not_allowed',
  message: ({ method, allowed }) => `${method} cannot be used here. Use ${allowed.join(', ')}.`,
  headers: ({ allowed }) => ({ allow: allowed.join(', ') }),
  when: 'The path exists, but not with this method.',
  remedy: 'Use one of the methods that `Allow` lists.',
})

export const bodyNotObject = defineProblem('body_not_an_object', {
  code: 'malformed',
  message: 'The body must be a JSON object.',
  when: 'The body is missing, or is JSON of another kind, such as a list.',
  remedy: 'Send a JSON object.',
})

export const bodyNotWrapped = defineProblem<string>('body_not_wrapped', {
  code: 'malformed',
  message: (name) => `The body must have the form {"${name}": {…}}.`,
  when: 'The body does not have its wrapper, such as `{"user": {…}}`.',
  remedy: 'Put the fields into the object that `error` names.',
})

export const bodyNotJson = defineProblem('body_not_json', {
  code: 'malformed',
  message: 'The body is not valid JSON.',
  when: 'The body cannot be parsed.',
  remedy: 'Send valid JSON.',
})

export const bodyNotUtf8 = defineProblem('body_not_utf8', {
  code: 'malformed',
  message: 'The body is not valid UTF-8.',
  when: 'The body has bytes that are not UTF-8.',
  remedy: 'Encode the body as UTF-8.',
})

export const bodyTooDeep = defineProblem<number>('body_too_deep', {
  code: 'malformed',
  message: (maximum) => `The body has more than ${maximum} objects and lists inside each other.`,
  when: 'The JSON of the body is nested deeper than the service reads.',
  remedy: 'Send the body in the form that the reference shows.',
})

export const bodyTooWide = defineProblem<number>('body_too_many_attributes', {
  code: 'too_large',
  message: (maximum) => `The body has more than ${maximum} attributes.`,
  when: 'The objects of the body have more attributes than the service reads, all of them together.',
  remedy: 'Send less in one request.',
})

export const bodyLengthWrong = defineProblem('body_length_wrong', {
  code: 'malformed',
  message: 'The body does not have the length that Content-Length says.',
  when: '`Content-Length` and the body differ.',
  remedy: 'Let the HTTP library set `Content-Length`, in bytes.',
})

export const bodyTooLarge = defineProblem('body_too_large', {
  code: 'too_large',
  message: 'The body is too large.',
  when: 'The body has more bytes than the service reads (`LICET_BODY_LIMIT_BYTES`).',
  remedy: 'Send less in one request.',
})

export const mediaTypeUnsupported = defineProblem('media_type_unsupported', {
  code: 'unsupported_media_type',
  message: 'The body must be sent as application/json.',
  when: 'The body has another `Content-Type`, or none.',
  remedy: 'Send JSON with `Content-Type: application/json`.',
})

export const bodyEncodingUnsupported = defineProblem('body_encoding_unsupported', {
  code: 'unsupported_media_type',
  message: 'The body must be sent as plain JSON in UTF-8.',
  when: 'The body is compressed, or is in another character set.',
  remedy: 'Send the body uncompressed and in UTF-8.',
})

export const urlMalformed = defineProblem('url_malformed', {
  code: 'malformed',
  message: 'The address is not a valid one.',
  when: 'The path has a broken escape in it, such as `%zz`.',
  remedy: 'Encode the parts of the path.',
})

export const urlTooLong = defineProblem('url_too_long', {
  code: 'malformed',
  status: 414,
  message: 'The address is too long.',
  when: 'An id in the path is longer than any id.',
  remedy: 'Check the id.',
})

export const headersTooLarge = defineProblem('headers_too_large', {
  code: 'too_large',
  status: 431,
  message: 'The headers are too large.',
  when: 'The headers of the request have more bytes than the service reads.',
  remedy: 'Send fewer and shorter headers.',
})

export const requestTimedOut = defineProblem('request_timed_out', {
  code: 'malformed',
  status: 408,
  message: 'The request took too long to arrive.',
  when: 'The client did not send the whole request in time.',
  remedy: 'Send the request again.',
})

export const notHttp = defineProblem('not_http', {
  code: 'malformed',
  message: 'This is not an HTTP request.',
  when: 'The bytes on the connection are not HTTP.',
  remedy: 'Check the address and the protocol: https goes to the proxy in front of the service.',
})

export const requestRefused = defineProblem<{ status: number; message: string }>('request_refused', {
  code: 'malformed',
  statusOf: ({ status }) => status,
  message: ({ message }) => message,
  when: 'The HTTP layer refuses the request for another reason, which `error` names. The status can be another 4xx.',
  remedy: 'Change the request as `error` says.',
})

export const idempotencyKeyInvalid = defineFault<number>('idempotency_key_invalid', {
  message: (maximum) => `must have 1 to ${maximum} characters`,
  when: 'The header `Idempotency-Key` is empty or too long.',
  remedy: 'Send a key such as a UUID.',
})

export const idempotencyKeyReused = defineFault('idempotency_key_reused', {
  message: 'was used for another request',
  when: 'A request with another path, query or body had this `Idempotency-Key` within 24 hours.',
  remedy: 'Use a new key for each thing to do, and the same key only to repeat a request unchanged.',
})

export const idempotencyKeyInUse = defineProblem('idempotency_key_in_use', {
  code: 'conflict',
  message: 'A request with the same Idempotency-Key is still running.',
  when: 'The first request with this `Idempotency-Key` was not done after a wait of ten seconds.',
  remedy: 'Send the same request with the same key again a little later.',
})

export const formFieldRepeated = defineProblem('form_field_repeated', {
  code: 'malformed',
  message: 'A field was sent more than once.',
  when: 'A form has the same field twice.',
  remedy: 'Send each field once.',
})
