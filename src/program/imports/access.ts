import { permissionMissing } from '#platform/errors/errors.ts'
import { scopeMissing } from '#platform/http/problems.ts'
import { assertPermitted, type Caller, missingPermission } from '#platform/identity/caller.ts'
import type { CsvKind } from './csv/kinds.facts.ts'

/** Files about people. */
export const PEOPLE_KINDS = [
  'customers',
  'sales',
  'news_recipients',
  'group_members',
  'subscribers',
] as const satisfies CsvKind[]

/** Whether the caller may see customers. Users always may; an app needs the scope. */
export function maySeeCustomers(caller: Caller): boolean {
  return caller.kind === 'user' || caller.scopes.has('customers')
}

/** Files that give content to customers need what giving it by hand needs. */
const GIVING: readonly CsvKind[] = ['sales']

/** Files of people are for who may see and change them; the route asks for the rest. */
export function assertMayImport(caller: Caller, kind: CsvKind | null | undefined): void {
  if (kind === null || kind === undefined || !PEOPLE_KINDS.some((each) => each === kind)) return
  if (!maySeeCustomers(caller)) throw scopeMissing(['customers'])
  const missing = GIVING.includes(kind) ? missingPermission(caller, ['request_beta_code']) : undefined
  if (missing !== undefined) throw permissionMissing(missing)
  // Who is in a group may use what others buy.
  if ((kind === 'group_members' || kind === 'subscribers') && caller.kind !== 'customer')
    assertPermitted(caller, 'unlock')
}
