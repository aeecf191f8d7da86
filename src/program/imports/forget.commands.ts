import { sql } from 'kysely'
import type { Erased } from '#people/customers/erasure.worker.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'

/** Bytes as text in which the letters of addresses are the same in every encoding that files have. */
const content = sql`replace(encode(content, 'escape'), '\\000', '')`

/**
 * Deletes an import whose file, or what can be undone of it, has the address of a customer, and returns whether there was one. An
 * import that is under way is waited for: the job is done again.
 */
export async function forgetImports(tx: Tx, { companyId, email }: Erased): Promise<number> {
  const { rows } = await sql<Columns<'imports', 'id' | 'state'>>`select id, state from imports
    where company_id = ${companyId} and (
      exists (select from import_contents where company_id = ${companyId} and import_id = imports.id
        and position(lower(${email}) in lower(${content})) > 0)
      or exists (select from import_changes where company_id = ${companyId} and import_id = imports.id
        and position(lower(${email}) in lower(concat_ws(' ', name, before, after))) > 0))
    limit 1 for update`.execute(tx)
  const [found] = rows
  if (found === undefined) return 0
  if (found.state === 'importing' || found.state === 'undoing')
    throw new Error(`import ${found.id} names the customer and is under way`)
  await tx.deleteFrom('imports').where('company_id', '=', companyId).where('id', '=', found.id).execute()
  return 1
}
