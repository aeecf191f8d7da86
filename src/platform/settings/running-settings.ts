import { type Static, Type } from 'typebox'
import type { DrainTimes } from '../http/draining.ts'

/** Where the service listens, and where it is reached. Part of the list of settings. */
export const ADDRESS_SETTINGS = {
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP service. With 0 the service chooses a free port and prints it.',
  }),
  LICET_WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Port, at HOST, on which `licet worker` answers `/health`, `/ready` and `/metrics`. If not set: nothing listens in a worker.',
    }),
  ),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on. `0.0.0.0` opens the service to other machines.',
  }),
  LICET_BASE_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Address under which clients reach the service, for links and pictures. If not set: http://HOST:PORT.',
    }),
  ),
}

/** Where the database is. Part of the list of settings. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: Type.Optional(
    Type.String({
      format: 'postgres-url',
      description: 'PostgreSQL 15 or later to use. If not set: an embedded PostgreSQL under LICET_DATA.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      format: 'postgres-url',
      description:
        'Address of PostgreSQL itself if DATABASE_URL is that of PgBouncer in transaction mode: for migrations, notifications, backups and commands.',
    }),
  ),
  DATABASE_STANDBY_URL: Type.Optional(
    Type.String({
      format: 'postgres-url',
      description:
        'A standby of the database behind DATABASE_URL. Statistics and exports are read there as long as it has everything that was stored before, otherwise from the primary.',
    }),
  ),
  LICET_DATABASE_POOL: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description: 'Maximum number of connections that one process opens for changes. Reads share four more.',
  }),
}

/** When there is too much to do. Part of the list of settings. */
export const OVERLOAD_SETTINGS = {
  LICET_REFUSE_AFTER_MS: Type.Integer({
    default: 1000,
    minimum: 0,
    maximum: 60_000,
    description:
      'How long everything may have to wait for the processor or for the database before requests are refused with 503 and `Retry-After`: lists and pages for strangers first, and what somebody pays or has paid for last. With 0 none is refused.',
  }),
}

/** How the service stops. Part of the list of settings. */
export const STOP_SETTINGS = {
  LICET_STOP_SECONDS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3600,
    description: 'How long a stop waits for requests in progress before it cuts them off.',
  }),
  LICET_UNREADY_SECONDS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 3600,
    description:
      'How long a stop goes on as before while `GET /ready` already answers 503. For load balancers that ask for it: longer than they take to notice.',
  }),
  LICET_DRAIN_SECONDS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description:
        'How long a stop keeps idle connections open, so that a request that a proxy is just sending on one is answered. If not set: 2, or 0 while the service listens on this machine only, uses the embedded database and has no other address.',
    }),
  ),
}

const StopSettings = Type.Object(STOP_SETTINGS)

/** A request that was sent before the stop was noticed arrives within a round trip; a busy proxy may take longer. */
const DRAIN_SECONDS = 2

export function readDrain(raw: Static<typeof StopSettings>, isAlone: boolean): DrainTimes {
  const { LICET_UNREADY_SECONDS: unreadySeconds, LICET_DRAIN_SECONDS: idleSeconds } = raw
  return { unreadySeconds, idleSeconds: idleSeconds ?? (isAlone ? 0 : DRAIN_SECONDS) }
}
