import { scopeMissing } from '#platform/http/problems.ts'
import { assertPermitted, type Caller } from '#platform/identity/caller.ts'
import type { CsvKind } from './csv/source.ts'

/** Files about people. */
export const PEOPLE_KINDS = [
  'customers',
  'news_recipients',
  'group_members',
  'subscribers',
] as const satisfies CsvKind[]

/** Whether the caller may see customers. Users always may; an app needs the scope. */
export function maySeeCustomers(caller: Caller): boolean {
  return caller.kind === 'user' || caller.scopes.has('customers')
}

/** Files of people are for who may see and change them; the route asks for the rest. */
export function assertMayImport(caller: Caller, kind: CsvKind | null | undefined): void {
  if (PEOPLE_KINDS.some((each) => each === kind) && !maySeeCustomers(caller)) throw scopeMissing(['customers'])
  // Who is in a group may use what others buy.
  if ((kind === 'group_members' || kind === 'subscribers') && caller.kind !== 'customer')
    assertPermitted(caller, 'unlock')
}
