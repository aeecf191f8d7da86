import { permissionMissing } from '#platform/errors/errors.ts'
import { scopeMissing } from '#platform/http/problems.ts'
import { assertPermitted, type Caller, missingPermission } from '#platform/identity/caller.ts'
import type { CsvKind } from './csv/kinds.facts.ts'

/** Files about people, and of codes that give something to whoever has them. */
const PEOPLE_KINDS = [
  'customers',
  'sales',
  'redemption_codes',
  'news_recipients',
  'group_members',
  'subscribers',
] as const satisfies CsvKind[]

/** Whether the caller may see customers. Users always may; an app needs the scope. */
function maySeeCustomers(caller: Caller): boolean {
  return caller.kind === 'user' || caller.scopes.has('customers')
}

/** Files that give content to customers need what giving it by hand needs. */
const GIVING = ['sales', 'redemption_codes'] as const satisfies CsvKind[]

/** Files of people are for who may see and change them; the route asks for the rest. */
export function assertMayImport(caller: Caller, kind: CsvKind | null | undefined): void {
  if (kind === null || kind === undefined || !PEOPLE_KINDS.some((each) => each === kind)) return
  if (!maySeeCustomers(caller)) throw scopeMissing(['customers'])
  const missing = GIVING.some((each) => each === kind) ? missingPermission(caller, ['request_beta_code']) : undefined
  if (missing !== undefined) throw permissionMissing(missing)
  // Who is in a group may use what others buy.
  if ((kind === 'group_members' || kind === 'subscribers') && caller.kind !== 'customer')
    assertPermitted(caller, 'unlock')
}

/** The files that the caller does not see in a list. */
export function hiddenKinds(caller: Caller): readonly CsvKind[] {
  if (!maySeeCustomers(caller)) return PEOPLE_KINDS
  return missingPermission(caller, ['request_beta_code']) === undefined ? [] : GIVING
}
