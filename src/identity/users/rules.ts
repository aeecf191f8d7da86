import type { AddressContext } from '#identity/addresses/rules.ts'
import { type Fault, FieldReport } from '#platform/errors/problem.ts'
import type { Permission } from '#platform/identity/permission.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { changeUserAddress } from './addresses/rules.ts'
import { passwordTooLong, passwordTooShort } from './errors.ts'
import { Permissions as PermissionFlags, type Permissions, type UserInput } from './schema.ts'
import type { UserState } from './state.ts'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 64

/** The first error of a new password. */
export function passwordFault(text: string): Fault | undefined {
  const { length } = [...text]
  if (length < PASSWORD_MIN) return passwordTooShort(PASSWORD_MIN)
  if (length > PASSWORD_MAX) return passwordTooLong(PASSWORD_MAX)
  return undefined
}

const FLAGS = keysOf(PermissionFlags.properties)

/** All nine flags, in the order of the API; a missing flag means no permission. */
export function readPermissions(stored: Partial<Permissions>): Permissions {
  const read = (flag: keyof Permissions) => (stored[flag] === 1 ? 1 : 0)
  return {
    request_products: read('request_products'),
    request_keyfile: read('request_keyfile'),
    request_rescue_code: read('request_rescue_code'),
    request_beta_code: read('request_beta_code'),
    create_users: read('create_users'),
    web_access: read('web_access'),
    accounting: read('accounting'),
    unlock: read('unlock'),
    RepAccounting: read('RepAccounting'),
  }
}

/** The names of the permissions that are given. */
export function namesOf(permissions: Permissions): ReadonlySet<Permission> {
  return new Set(FLAGS.filter((flag) => permissions[flag] === 1))
}

/** The user who creates a company may do everything in it. */
export const ALL_PERMISSIONS: Permissions = {
  request_products: 1,
  request_keyfile: 1,
  request_rescue_code: 1,
  request_beta_code: 1,
  create_users: 1,
  web_access: 1,
  accounting: 1,
  unlock: 1,
  RepAccounting: 1,
}

/** An invited user may sign in; the inviter sets the other permissions. */
export const INVITED_PERMISSIONS = readPermissions({ web_access: 1 })

export type NewUser = Pick<
  UserState,
  'company_id' | 'id' | 'token' | 'email' | 'password_hash' | 'state' | 'permissions'
>

export type ChangeContext = AddressContext & { now: Date }

export function newUser(user: NewUser, input: UserInput, context: ChangeContext): UserState {
  const blank: UserState = {
    ...user,
    first_name: '',
    last_name: '',
    language: 'en',
    note: '',
    time_zone: 0,
    verified_email: false,
    default_address: null,
    created_at: context.now,
    updated_at: context.now,
  }
  const { state, ...details } = input
  return changeUser(blank, { ...details, email: user.email }, context)
}

/** The user after a change: fields that the body does not name stay. */
export function changeUser(before: UserState, input: UserInput, context: ChangeContext): UserState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const default_address = changeUserAddress(before.default_address, input.default_address, context, report)
  report.throwIfAny()
  return {
    ...before,
    email: input.email === undefined || sameEmail(input.email, before.email) ? before.email : input.email,
    first_name: input.first_name ?? before.first_name,
    last_name: input.last_name ?? before.last_name,
    language: input.language?.toLowerCase() ?? before.language,
    note: input.note ?? before.note,
    state: input.state ?? before.state,
    time_zone: input.time_zone ?? before.time_zone,
    default_address,
    permissions: readPermissions({ ...before.permissions, ...input.permissions }),
    updated_at: context.now,
  }
}

function sameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** A user has a password once they have accepted the invitation. */
export function hasAccepted({ password_hash }: Pick<UserState, 'password_hash'>): boolean {
  return password_hash !== null
}

/** May the user invite others, and set their permissions? Without `web_access`, a user may do nothing. */
export function managesUsers({ state, permissions }: Pick<UserState, 'state' | 'permissions'>): boolean {
  return state === 'enabled' && permissions.create_users === 1 && permissions.web_access === 1
}

/** The name of a user in a sentence. */
export function nameOf({
  first_name,
  last_name,
  email,
}: Pick<UserState, 'first_name' | 'last_name' | 'email'>): string {
  return `${first_name} ${last_name}`.trim() || email
}

/** State and permissions that a change sets, in words: `accounting 1`, `state disabled`. */
export function changedRights(before: UserState, after: UserState): string[] {
  const flags = FLAGS.filter((flag) => before.permissions[flag] !== after.permissions[flag])
  return [
    ...flags.map((flag) => `${flag} ${after.permissions[flag]}`),
    ...(before.state === after.state ? [] : [`state ${after.state}`]),
  ]
}

const DETAILS = ['email', 'first_name', 'last_name', 'language', 'note', 'time_zone', 'default_address'] as const

/** The names of the other fields that a change sets. */
export function changedDetails(before: UserState, after: UserState): string[] {
  return DETAILS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}
