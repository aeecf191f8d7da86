import { problemsOf } from './problem.ts'

const { defineProblem } = problemsOf('The service')

const TRY_AGAIN = 'Try again in a moment: `Retry-After` says when.'
const inOneSecond = () => ({ 'retry-after': '1' })

export const valueNotStorable = defineProblem('value_not_storable', {
  code: 'validation_failed',
  message: 'A value in the request cannot be stored.',
  when: 'A value is outside of what the database can hold, such as a NUL character in a text.',
  remedy: 'Remove unusual characters, and use smaller numbers.',
})

export const concurrentChange = defineProblem('concurrent_change', {
  code: 'conflict',
  message: 'Somebody else is changing the same thing: try again.',
  when: 'Two requests changed the same thing at the same time, and this one lost.',
  remedy: 'Read the thing again, and send the change again.',
})

export const serviceStopping = defineProblem('service_stopping', {
  code: 'unavailable',
  message: 'The service is stopping: try again in a moment.',
  headers: inOneSecond,
  when: 'The service is being stopped or restarted.',
  remedy: TRY_AGAIN,
})

export const serviceBusy = defineProblem('service_busy', {
  code: 'unavailable',
  message: 'There is too much to do right now: try again in a moment.',
  headers: inOneSecond,
  when: 'Too many slow requests, such as checks of passwords, wait already, or the clients of the company have not read the large lists yet that they asked for.',
  remedy: TRY_AGAIN,
})

export const serviceOverloaded = defineProblem<number>('service_overloaded', {
  code: 'unavailable',
  message: 'There is more to do right now than the service can do: try again in a few seconds.',
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Everything waits too long for the processor or for the database. What strangers read is refused first, and what somebody pays or has paid for last.',
  remedy: 'Try again after the seconds in `Retry-After`. Nothing of the request was done.',
})

export const requestTooSlow = defineProblem('request_too_slow', {
  code: 'unavailable',
  message: 'The request took too long.',
  headers: inOneSecond,
  when: 'The database did not finish in time.',
  remedy: 'Try again in a moment, and ask for less at once.',
})

export const databaseUnavailable = defineProblem('database_unavailable', {
  code: 'unavailable',
  message: 'The service is not available right now: try again in a moment.',
  headers: inOneSecond,
  when: 'The service cannot reach its database.',
  remedy: TRY_AGAIN,
})

export const outcomeUnknown = defineProblem('outcome_unknown', {
  code: 'unavailable',
  status: 504,
  message: 'The database went away at the last moment: the change may have been stored or not.',
  when: 'The service has lost its database after it had asked for a change to be stored, and before the answer.',
  remedy:
    'Send the request again with the same `Idempotency-Key`. Without a key, look first whether the change is there.',
})

export const databaseReadOnly = defineProblem('database_read_only', {
  code: 'unavailable',
  message: 'Nothing can be changed right now.',
  headers: inOneSecond,
  when: 'The database takes no changes: its disk or memory is full, or it is a standby.',
  remedy: 'Try again later. The operator finds the cause in the log.',
})

export const storageFull = defineProblem('storage_full', {
  code: 'unavailable',
  message: 'No file can be stored right now.',
  headers: inOneSecond,
  when: 'The disk on which the service keeps files is full.',
  remedy: 'Try again later. The operator finds the cause in the log.',
})

export const migrationsMissing = defineProblem<readonly string[]>('migrations_missing', {
  code: 'unavailable',
  message: (names) => `Migrations are not applied: ${names.join(', ')}.`,
  headers: inOneSecond,
  when: '`GET /ready` finds a database that is older than the program.',
  remedy: 'Run `licet migrate`.',
})

export const databaseTooNew = defineProblem<readonly string[]>('database_too_new', {
  code: 'unavailable',
  message: (names) => `The database is newer than this program: ${names.join(', ')}.`,
  headers: inOneSecond,
  when: '`GET /ready` finds migrations of a newer version that take away what the program needs.',
  remedy: 'Start the newer version of the program.',
})

export const metricsTokenRequired = defineProblem('metrics_token_required', {
  code: 'unauthorized',
  message: 'The metrics need their own token.',
  headers: () => ({ 'www-authenticate': 'Bearer realm="metrics"' }),
  when: '`GET /metrics` without the token in `LICET_METRICS_TOKEN`.',
  remedy: 'Send that token as `Authorization: Bearer …`.',
})

export const internalError = defineProblem('internal_error', {
  code: 'internal',
  message: 'Something went wrong on our side. The request id helps to find out what.',
  when: 'The service has a defect.',
  remedy: 'Report it with the `request_id`, by which the operator finds the cause in the log.',
})

export const permissionMissing = defineProblem<string>('permission_missing', {
  code: 'forbidden',
  message: (permission) => `This needs the permission ${permission}, which the user does not have.`,
  when: 'The signed-in user, or the user who let the app in, does not have a permission that the endpoint needs.',
  remedy: 'Ask a user with the permission `create_users` for the permission that `error` names.',
})
