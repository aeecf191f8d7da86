import { Permissions } from '#identity/users/schema.ts'
import { entriesOf } from '#platform/wire/typed-entries.ts'

type Operation = { 'x-permissions'?: string[]; 'x-users-path'?: string }
type Document = { paths?: Record<string, Record<string, Operation>> }
type Endpoint = { name: string; path: string; permissions: string[]; forApps: boolean; forUsers: boolean }

/** Needed for everything, so no table lists it. */
const ALWAYS = 'web_access'

function endpointsOf({ paths = {} }: Document): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { 'x-permissions': permissions, 'x-users-path': usersPath } = operation
      if (permissions === undefined) return []
      const forApps = !path.startsWith('/admin/api/')
      return { name: method.toUpperCase(), path, permissions, forApps, forUsers: usersPath !== undefined }
    }),
  )
}

function row({ name, path, forApps, forUsers }: Endpoint): string {
  return `| \`${name} ${path}\` | ${forApps ? 'yes' : 'no'} | ${forUsers ? 'yes' : 'no'} |`
}

/** docs/permissions.md: what each permission of a user opens. */
export function permissionsPage(document: Document): string {
  const endpoints = endpointsOf(document)
  if (endpoints.length === 0) throw new Error('no endpoint names its permissions: the page would be empty')
  const flags = entriesOf(Permissions.properties)
  const sections = flags
    .filter(([flag]) => flag !== ALWAYS)
    .map(([flag, schema]) => {
      const { description }: object & { description?: unknown } = schema
      const needing = endpoints.filter(({ permissions }) => permissions.includes(flag))
      if (needing.length === 0) throw new Error(`no endpoint needs ${flag}`)
      return `## \`${flag}\`

${String(description).replace(/^1: m/, 'M')}

| Endpoint | Apps | Signed-in users |
|---|---|---|
${needing.map(row).join('\n')}
`
    })
  return `# Permissions of users

A user has up to nine permissions. They hold for everything that the user does: in the browser, and through an app that the
user let in. An app never may do more than that user. A user with \`create_users\` sets them, at
\`PUT /api/users/{token}.json\`; the first user of a company has all of them, and an invited one has \`${ALWAYS}\` alone.

Every endpoint needs \`${ALWAYS}\`: without it, neither the user nor an app of the user may do anything. The tables list the
endpoints that need more. A request without a permission is answered with 403 and the reason \`permission_missing\`. Signed-in
users find the endpoints of apps below \`/admin/api\` instead of \`/api\`. An app that acts for a customer needs no permission.

A part of a change may need a permission that the rest does not:

- \`PUT /api/orders/{id}.json\`: \`accounting\` to change \`confirmed\`, which gives and takes what was bought.
- \`PUT /api/customers/{token}.json\`: \`unlock\` to change the email address or the password.
- \`PUT /api/users/{token}.json\`: \`create_users\` for another user, and for state, permissions and email address.
- \`PUT\` and \`DELETE\` of webhooks, replays and tests: \`create_users\` for signed-in users, who otherwise see where webhooks lead, and not their whole address. An app needs none for its own webhooks.

Users who read an order see the redemption codes that were sold with it.

${sections.join('\n')}
<!-- Generated from the OpenAPI document by npm run generate. -->
`
}
