import type { Permission } from '../session/session.ts'
import type { Permissions } from './queries.ts'

/** What users may do, in the order in which an owner thinks of it. */
export const PERMISSIONS = [
  'web_access',
  'request_products',
  'accounting',
  'unlock',
  'request_keyfile',
  'request_rescue_code',
  'request_beta_code',
  'RepAccounting',
  'create_users',
] as const satisfies readonly Permission[]

/** Usual jobs, and what they need beside the way in. */
const JOBS = {
  owner: PERMISSIONS,
  editor: ['request_products'],
  support: ['accounting', 'unlock', 'request_keyfile', 'request_rescue_code', 'request_beta_code'],
  accountant: ['accounting', 'RepAccounting'],
} as const satisfies Record<string, readonly Permission[]>

export type Preset = keyof typeof JOBS
export const PRESETS = Object.keys(JOBS) as Preset[]

/** What somebody with a job may do. */
export function permissionsOf(preset: Preset): Permissions {
  const needed: readonly Permission[] = ['web_access', ...JOBS[preset]]
  return Object.fromEntries(PERMISSIONS.map((name) => [name, needed.includes(name) ? 1 : 0])) as Permissions
}

/** The job that needs exactly these permissions, if there is one. */
export function presetOf(permissions: Permissions): Preset | undefined {
  return PRESETS.find((preset) => {
    const wanted = permissionsOf(preset)
    return PERMISSIONS.every((name) => wanted[name] === permissions[name])
  })
}
