import { scopeMissing } from '#platform/http/problems.ts'
import type { Caller } from '#platform/identity/caller.ts'
import type { CsvKind } from './csv/source.ts'

/** Whether the caller may see customers. Users always may; an app needs the scope. */
export function maySeeCustomers(caller: Caller): boolean {
  return caller.kind === 'user' || caller.scopes.has('customers')
}

/** Files of customers are for who may see and change customers; the route asks for the rest. */
export function assertMayImport(caller: Caller, kind: CsvKind | null | undefined): void {
  if (kind === 'customers' && !maySeeCustomers(caller)) throw scopeMissing(['customers'])
}
