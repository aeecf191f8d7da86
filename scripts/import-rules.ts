/** The wings of src, from the ground up: each knows those before it. The rooms of one wing form no circle. */
export const WINGS = [
  'platform',
  'history',
  'identity',
  'apps',
  'catalog',
  'people',
  'rights',
  'selling',
  'shop',
  'insight',
  'admin',
  'program',
] as const

/** File names have no roles in wings that contain no resource. */
export const WITHOUT_ROLES: ReadonlySet<string> = new Set(['platform', 'program'])

/**
 * What a file may import, by its role: the last word of its name, as in `rules.ts` and `refunds.rules.ts`. `roles` are those
 * of the files of its own room and of others that it may know.
 */
export type Role = {
  packages: RegExp
  platform: RegExp
  roles: RegExp
  /** Roles that it may know in its own room only. */
  ownRoles?: RegExp
  typesOnly?: true
}

const NOTHING = /^$/
const NOT_HTTP = /^(?!http\/|pages\/)/
const NOT_FASTIFY = /^(?!fastify$|@fastify\/)/
const PURE = 'rules|errors|schema|state|facts'

export const ROLES: Record<string, Role> = {
  schema: { packages: /^typebox$/, platform: /^wire\/(times|schema)\.ts$/, roles: /^(facts|schema)$/ },
  routes: {
    packages: /^(fastify|@fastify\/type-provider-typebox|typebox)$/,
    platform: /^(?!db\/|jobs\/)/,
    roles: /^(errors|guard|rules|site)$/,
    ownRoles: /^(?!routes$)/,
  },
  // How the pages of a site are answered, for the routes of every room that adds pages to it.
  site: {
    packages: /^(fastify|@fastify\/(cookie|accept-negotiator))$/,
    platform: /^(?!db\/|jobs\/)/,
    roles: /^(cache|files|rules|state|site)$/,
    ownRoles: /^(?!(routes|commands)$)/,
  },
  queries: {
    packages: /^(kysely|node:(crypto|stream))$/,
    platform: NOT_HTTP,
    roles: new RegExp(`^(queries|present|secrets|${PURE})$`),
  },
  commands: {
    packages: /^(kysely|node:)/,
    platform: NOT_HTTP,
    roles: /^(?!(routes|site|views|present)$)/,
    ownRoles: /^present$/,
  },
  rules: { packages: NOTHING, platform: /^(errors|wire|text)\//, roles: new RegExp(`^(${PURE})$`) },
  present: { packages: NOTHING, platform: /^(wire|text)\//, roles: /^(present|rules|schema|state|facts)$/ },
  // Tables of what is so outside of Licet, or of what a room names, such as its gateways.
  facts: {
    packages: NOT_FASTIFY,
    platform: /^wire\/typed-entries\.ts$/,
    roles: /^(facts|state|schema)$/,
    ownRoles: /^gateway$/,
  },
  mails: {
    packages: /^ghtml$/,
    platform: /^(mail|text|wire)\/|^db\/database\.ts$/,
    roles: /^(mails|queries|present|rules|schema|state|facts|secrets)$/,
  },
  views: {
    packages: /^ghtml$/,
    platform: /^(wire\/|text\/|pages\/(form|layout|mark|times)\.ts$)/,
    roles: /^(cache|facts|rules|schema|state|views)$/,
    ownRoles: /^(queries|theme|site)$/,
  },
  jobs: { packages: NOTHING, platform: /^(jobs\/(kinds|lanes)|identity\/origin)\.ts$/, roles: /^(jobs|state)$/ },
  // What runs in the background: handlers of jobs, chores and loops.
  worker: { packages: NOT_FASTIFY, platform: NOT_HTTP, roles: /^(?!(routes|site|views)$)/ },
  // Stored files, streams, and the processes that read files from outside.
  files: { packages: NOT_FASTIFY, platform: NOT_HTTP, roles: /^(?!(routes|site|views|worker)$)/ },
  // Signs, hashes and encrypts.
  secrets: {
    packages: /^(node:crypto|jose|otpauth|uqr|typebox\/value)$/,
    platform: /^(identity|wire)\//,
    roles: new RegExp(`^(secrets|${PURE})$`),
  },
  // Counts attempts before the work that they ask for is done.
  guard: {
    packages: /^(kysely|node:crypto)$/,
    platform: NOT_HTTP,
    roles: new RegExp(`^(guard|commands|queries|${PURE})$`),
  },
  // Remembers in the memory of this process.
  cache: {
    packages: /^(lru-cache|node:crypto)$/,
    platform: NOT_HTTP,
    roles: new RegExp(`^(cache|queries|present|${PURE})$`),
  },
  // Runs in a process of its own, with limits, because it reads what came from outside or takes long.
  process: {
    packages: NOT_FASTIFY,
    platform: /^(processes|pdf|text|wire|zip)\//,
    roles: new RegExp(`^(process|${PURE})$`),
  },
  // One way to be paid.
  gateway: {
    packages: /^(stripe|typebox\/value)$/,
    platform: NOT_HTTP,
    roles: new RegExp(`^(gateway|queries|${PURE})$`),
  },
  // The templates of shops, and what they can call.
  theme: {
    packages: /^(liquidjs|sanitize-html|node:)/,
    platform: /^(wire|text)\//,
    roles: new RegExp(`^(theme|present|${PURE})$`),
    ownRoles: /^files$/,
  },
  resource: { packages: NOTHING, platform: /^/, roles: /^(?!(routes|site|views)$)/, ownRoles: /^routes$/ },
  errors: { packages: NOTHING, platform: /^errors\/problem\.ts$/, roles: NOTHING },
  state: { packages: NOTHING, platform: NOTHING, roles: /^(rules|schema|state)$/, typesOnly: true },
}

/** Packages that parse what came from outside, or take long, and where they may run. */
export const ONLY_IN: readonly { packages: RegExp; may: RegExp; because: string }[] = [
  {
    packages: /^sharp$/,
    may: /\.process\.ts$|\/command-line\/doctor\.ts$/,
    because: 'pictures are decoded in a process of its own',
  },
  {
    packages: /^(@cantoo\/pdf-lib|saxes)$/,
    may: /\.process\.ts$/,
    because: 'documents are read and drawn in a process of its own',
  },
  // A book is unpacked one part at a time, with a limit on its size.
  { packages: /^yauzl$/, may: /\.(process|files)\.ts$/, because: 'archives are opened by files' },
]
