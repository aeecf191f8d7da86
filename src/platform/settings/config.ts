import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type Static, type TSchema, Type } from 'typebox'
import type { S3Settings } from '../files/s3-files.ts'
import type { DrainTimes } from '../http/draining.ts'
import type { LogFormat } from '../log/log.ts'
import { defaultSender, type MailSettings, parseMailbox, parseMailServer } from '../mail/settings.ts'
import { isLoopback } from '../outbound/addresses.ts'
import type { AllowedNetworks } from '../outbound/connector.ts'
import type { ServiceUrls } from '../outbound/service-urls.ts'
import { type GatewayUrls, gatewaySettings, readGatewayUrls } from './gateway-settings.ts'
import { OPERATOR_SETTINGS, type OperatorParts, readOperatorParts } from './operator-settings.ts'
import { ADDRESS_SETTINGS, DATABASE_SETTINGS, OVERLOAD_SETTINGS, readDrain, STOP_SETTINGS } from './running-settings.ts'
import { SECRET_SETTINGS, withSecretFiles } from './secret-files.ts'
import { readTelemetry, TELEMETRY_SETTINGS, type TelemetrySettings } from './telemetry-settings.ts'
import { readS3, readTransfers, TRANSFER_SETTINGS, type TransferSettings } from './transfer-settings.ts'

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** Every setting there is. docs/settings.md and .env.example are generated from this list. */
export const Settings = Type.Object({
  ...ADDRESS_SETTINGS,
  LICET_DATA: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder for everything that the service stores: the embedded database, pictures, its own secrets.',
  }),
  LICET_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'Encrypts secrets that the service must read again, such as those of second factors. If not set: generated at the first start and stored in the file `secret` under LICET_DATA. Machines that share a database need the same one.',
    }),
  ),
  ...DATABASE_SETTINGS,
  LICET_TRUST_PROXY: Type.Optional(
    Type.String({
      format: 'networks',
      description:
        'Proxies in front of the service that it trusts to report the address and protocol of a client: addresses and networks, separated by commas, such as `127.0.0.1,10.0.0.0/8`. If not set: none.',
    }),
  ),
  LICET_DEMO: Flag(
    'Create a demo shop in an empty database and print an access token at start. If not set: on, unless NODE_ENV is `production`.',
  ),
  ...OPERATOR_SETTINGS,
  ...TELEMETRY_SETTINGS,
  LICET_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged. `debug` logs every request.',
  }),
  LICET_LOG_FORMAT: Type.Enum(['auto', 'pretty', 'json'], {
    default: 'auto',
    description:
      'How the log is written. `pretty` writes readable lines, `json` one JSON object per line. `auto` is `pretty` in a terminal and `json` elsewhere.',
  }),
  LICET_RATE_LIMIT_BURST: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Number of requests that an app can send at once for a company before it has to wait.',
  }),
  LICET_RATE_LIMIT_PER_SECOND: Type.Number({
    default: 100,
    exclusiveMinimum: 0,
    maximum: 1_000_000,
    description: 'Number of requests per second that an app can send continuously for a company.',
  }),
  LICET_BODY_LIMIT_BYTES: Type.Integer({
    default: 2_097_152,
    minimum: 1024,
    maximum: 104_857_600,
    description: 'Maximum size of a request body.',
  }),
  LICET_CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Number of connections that one client can have open: an IPv4 address, or the /64 network of an IPv6 address. Further ones are closed. The proxies of LICET_TRUST_PROXY have no such limit.',
  }),
  LICET_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Number of connections that all clients together can have open.',
  }),
  ...OVERLOAD_SETTINGS,
  ...STOP_SETTINGS,
  LICET_ALLOW_LOOPBACK: Flag(
    'Allow requests to addresses from outside (pictures and the like) to reach this machine itself. If not set: on while the service listens on this machine only, uses the embedded database and NODE_ENV is not `production`.',
  ),
  LICET_ALLOW_NETWORKS: Type.Optional(
    Type.String({
      format: 'networks',
      description:
        'Private networks that requests to addresses from outside may reach: addresses and networks, separated by commas, such as `10.1.0.0/16`. If not set: none.',
    }),
  ),
  LICET_SMTP_URL: Type.Optional(
    Type.String({
      format: 'smtp-url',
      description:
        'Server that sends the mails: `smtp://user:password@host:587`, which is upgraded to TLS, or `smtps://user:password@host:465`. If not set: the service keeps the mails, and `licet mails` shows them.',
    }),
  ),
  LICET_MAIL_FROM: Type.Optional(
    Type.String({
      format: 'mailbox',
      description:
        'Sender of every mail, such as `Books & Co <shop@example.com>`. If not set: `Licet <no-reply@…>` with the host name of LICET_BASE_URL.',
    }),
  ),
  ...TRANSFER_SETTINGS,
  LICET_CURRENCY_RATES_URL: Type.String({
    default: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    format: 'http-url',
    description:
      "Source of the currency rates of the day, in the format of the European Central Bank's daily file. An empty value turns the refresh off.",
  }),
  LICET_VIES_URL: Type.String({
    default: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    format: 'http-url',
    description:
      'Address of the service of the European Union that knows VAT ids. It is asked for companies that have turned the check on. An empty value turns it off for all.',
  }),
  LICET_METRICS_TOKEN: Type.Optional(
    Type.String({ minLength: 16, description: 'If set, `GET /metrics` requires it as a Bearer token.' }),
  ),
  LICET_TOKEN: Type.Optional(
    Type.String({ maxLength: 200, description: 'Access token of `licet listen`, instead of `--token`.' }),
  ),
  NODE_ENV: Type.Optional(
    Type.String({ description: '`production` turns off the demo shop and requests to the machine itself.' }),
  ),
})

type Raw = Static<typeof Settings>

/** Every setting there is, with those of the gateways that the program knows. */
export function allSettings(gatewayUrls: GatewayUrls): Record<string, TSchema> {
  return { ...Settings.properties, ...gatewaySettings(gatewayUrls) }
}

/** How long a connection stays open whose client takes nothing of an answer. */
const STALLED_MS = 30_000

/** The settings with everything that depends on others filled in. */
export type Config = OperatorParts & {
  port: number
  /** Where a worker answers those who watch it. Absent: it answers nobody. */
  workerPort: number | undefined
  host: string
  baseUrl: string | undefined
  dataFolder: string
  secret: string | undefined
  trustProxy: string[]
  databaseUrl: string | undefined
  /** Present if databaseUrl is that of a pooler. */
  databaseDirectUrl: string | undefined
  /** Where statistics and exports are read, if it is up to date. */
  databaseStandbyUrl: string | undefined
  databasePool: number
  demo: boolean
  logLevel: Raw['LICET_LOG_LEVEL']
  logFormat: LogFormat
  rateLimit: { burst: number; perSecond: number }
  bodyLimitBytes: number
  connections: { perAddressMax: number; totalMax: number; stalledMs: number }
  /** When requests are refused because everything waits. */
  shedding: { delayMsMax: number }
  stopSeconds: number
  failedJobDays: number
  drain: DrainTimes
  /** Where requests to addresses from outside may go beyond the open internet. */
  allowed: AllowedNetworks
  /** Absent: there is no mail server. */
  mail: MailSettings | undefined
  transfers: TransferSettings
  /** Absent: files are stored in the data folder. */
  s3: S3Settings | undefined
  /** Absent: nothing of OpenTelemetry is loaded. */
  telemetry: TelemetrySettings | undefined
  /** Empty: the rates are not refreshed. */
  currencyRatesUrl: string
  serviceUrls: ServiceUrls
  metricsToken: string | undefined
  /** For commands that call a service as an app does. */
  token: string | undefined
}

/** Thrown with every mistake at once; the command line prints them and ends with 2. */
export class ConfigError extends Error {
  readonly mistakes: string[]

  constructor(mistakes: string[]) {
    super(mistakes.join('\n'))
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

const FLAGS: Record<string, boolean> = {
  '1': true,
  true: true,
  on: true,
  yes: true,
  '0': false,
  false: false,
  off: false,
  no: false,
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

function withoutSlashesAtEnd(text: string): string {
  return text.endsWith('/') ? withoutSlashesAtEnd(text.slice(0, -1)) : text
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

type SettingSchema = TSchema & {
  type?: string
  format?: string
  enum?: string[]
  default?: unknown
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
}

/** Says what is wrong with a value, or undefined if the setting accepts it. */
function mistakeIn(schema: SettingSchema, value: unknown): string | undefined {
  if (schema.enum !== undefined)
    return schema.enum.includes(String(value)) ? undefined : `must be one of ${schema.enum.join(', ')}`
  if (schema.format === 'http-url')
    return isUrl(String(value), ['http:', 'https:']) ? undefined : 'must be an http or https address'
  if (schema.format === 'postgres-url')
    return isUrl(String(value), ['postgres:', 'postgresql:'])
      ? undefined
      : 'must be an address such as postgres://user:password@host:5432/name'
  if (schema.format === 'networks')
    return list(String(value)).every((network) => ipaddr.isValid(network) || ipaddr.isValidCIDR(network))
      ? undefined
      : 'must be addresses or networks such as 10.0.0.0/8, separated by commas'
  if (schema.format === 'location')
    return /^\/[\w/-]*\/$/.test(String(value)) ? undefined : 'must be a path such as /licet-files/'
  if (schema.format === 'smtp-url')
    return parseMailServer(String(value)) === undefined
      ? 'must be an address such as smtp://user:password@host:587'
      : undefined
  if (schema.format === 'mailbox')
    return parseMailbox(String(value)) === undefined
      ? 'must be a sender such as Licet <no-reply@example.com>'
      : undefined
  if (schema.type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be on or off'
  if (schema.type === 'string')
    return String(value).length >= (schema.minLength ?? 0)
      ? undefined
      : `must have at least ${schema.minLength} characters`
  const { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum = Number.NEGATIVE_INFINITY, maximum } = schema
  const number = Number(value)
  const fits =
    (schema.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)) &&
    number >= minimum &&
    number > exclusiveMinimum &&
    number <= (maximum ?? Number.POSITIVE_INFINITY)
  if (fits) return undefined
  const kind = schema.type === 'integer' ? 'a whole number' : 'a number'
  return `must be ${kind} ${schema.minimum === undefined ? `above ${exclusiveMinimum}, up to` : `from ${minimum} to`} ${maximum}`
}

function readValue(schema: SettingSchema, text: string): unknown {
  if (schema.type === 'boolean') return FLAGS[text.toLowerCase()] ?? text
  if (schema.type === 'integer' || schema.type === 'number') return text.trim() === '' ? Number.NaN : Number(text)
  return text
}

/** An empty value counts as absent, except for these. */
const OFF_WHEN_EMPTY = new Set(['LICET_CURRENCY_RATES_URL'])

/**
 * Reads the settings. Fails at start with every mistake at once, not at the first request. `gatewayUrls` are the addresses of
 * gateways that no setting changes.
 */
export function readConfig(env: Record<string, string | undefined>, gatewayUrls: GatewayUrls = {}): Config {
  const mistakes: string[] = []
  const texts = withSecretFiles(env, mistakes)
  const raw: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<SettingSchema>(allSettings(gatewayUrls))) {
    const text = texts[name]
    if (text === undefined || text === '') {
      raw[name] = text === '' && OFF_WHEN_EMPTY.has(name) ? '' : schema.default
      continue
    }
    const value = readValue(schema, text)
    const mistake = mistakeIn(schema, value)
    if (mistake !== undefined)
      mistakes.push(`${name} ${mistake}, not "${SECRET_SETTINGS.includes(name) ? '…' : text}".`)
    raw[name] = value
  }
  // A value that does not fit its setting is among the mistakes.
  const settings = raw as Raw
  const mail = readMail(settings, mistakes)
  const s3 = readS3(settings, mistakes)
  readOperatorParts(settings, settings.LICET_DATA, mistakes)
  if (settings.DATABASE_DIRECT_URL !== undefined && settings.DATABASE_URL === undefined)
    mistakes.push('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.')
  if (settings.DATABASE_STANDBY_URL !== undefined && settings.DATABASE_URL === undefined)
    mistakes.push('DATABASE_STANDBY_URL needs DATABASE_URL, the address of the primary.')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const telemetry = readTelemetry(settings, texts)
  return fill(settings, { mail, s3, telemetry, gateways: readGatewayUrls(raw, gatewayUrls) })
}

/** Mail needs a server and a sender; a server without a sender is a mistake. */
function readMail(raw: Raw, mistakes: string[]): MailSettings | undefined {
  const server = parseMailServer(raw.LICET_SMTP_URL ?? '')
  const from = raw.LICET_MAIL_FROM === undefined ? defaultSender(raw.LICET_BASE_URL) : parseMailbox(raw.LICET_MAIL_FROM)
  if (server !== undefined && from !== undefined) return { server, from }
  if (server !== undefined && raw.LICET_MAIL_FROM === undefined)
    mistakes.push(
      'LICET_MAIL_FROM must be set: LICET_BASE_URL has no host name to make a sender of for LICET_SMTP_URL.',
    )
  return undefined
}

/** Is this a service that only its own machine reaches, as on a developer's desk? */
function isAlone({ HOST, DATABASE_URL, LICET_BASE_URL }: Raw): boolean {
  const isLocal = (host: string) => host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))
  return (
    DATABASE_URL === undefined &&
    isLocal(HOST) &&
    (LICET_BASE_URL === undefined || isLocal(new URL(LICET_BASE_URL).hostname))
  )
}

type Parts = Pick<Config, 'mail' | 's3' | 'telemetry'> & { gateways: GatewayUrls }

function fill(raw: Raw, { mail, s3, telemetry, gateways }: Parts): Config {
  const production = raw.NODE_ENV === 'production'
  const dataFolder = resolve(raw.LICET_DATA)
  return {
    port: raw.PORT,
    workerPort: raw.LICET_WORKER_PORT,
    host: raw.HOST,
    baseUrl: raw.LICET_BASE_URL === undefined ? undefined : withoutSlashesAtEnd(raw.LICET_BASE_URL),
    dataFolder,
    secret: raw.LICET_SECRET,
    trustProxy: list(raw.LICET_TRUST_PROXY ?? ''),
    databaseUrl: raw.DATABASE_URL,
    databaseDirectUrl: raw.DATABASE_DIRECT_URL,
    databaseStandbyUrl: raw.DATABASE_STANDBY_URL,
    databasePool: raw.LICET_DATABASE_POOL,
    demo: raw.LICET_DEMO ?? !production,
    logLevel: raw.LICET_LOG_LEVEL,
    logFormat: raw.LICET_LOG_FORMAT,
    rateLimit: { burst: raw.LICET_RATE_LIMIT_BURST, perSecond: raw.LICET_RATE_LIMIT_PER_SECOND },
    bodyLimitBytes: raw.LICET_BODY_LIMIT_BYTES,
    connections: {
      perAddressMax: raw.LICET_CONNECTIONS_PER_ADDRESS,
      totalMax: raw.LICET_CONNECTIONS,
      stalledMs: STALLED_MS,
    },
    shedding: { delayMsMax: raw.LICET_REFUSE_AFTER_MS },
    stopSeconds: raw.LICET_STOP_SECONDS,
    failedJobDays: raw.LICET_FAILED_JOB_DAYS,
    ...readOperatorParts(raw, dataFolder, []),
    drain: readDrain(raw, isAlone(raw)),
    allowed: {
      loopback: raw.LICET_ALLOW_LOOPBACK ?? (!production && isAlone(raw)),
      networks: list(raw.LICET_ALLOW_NETWORKS ?? ''),
    },
    mail,
    transfers: readTransfers(raw, dataFolder),
    s3,
    telemetry,
    currencyRatesUrl: raw.LICET_CURRENCY_RATES_URL,
    serviceUrls: { gateways, vies: raw.LICET_VIES_URL },
    metricsToken: raw.LICET_METRICS_TOKEN,
    token: raw.LICET_TOKEN,
  }
}
