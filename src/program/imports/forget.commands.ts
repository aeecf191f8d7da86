import { sql } from 'kysely'
import type { Erased } from '#people/customers/erasure.worker.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'

/** Bytes as text in which the letters of addresses are the same in every encoding that files have. */
const content = sql`replace(encode(content, 'escape'), '\\000', '')`

/** Does a change have the address? */
const named = (email: string) => condition`position(lower(${email}) in lower(concat_ws(' ', name, before, after))) > 0`

/**
 * Deletes an import whose file, or what can be undone of it, has the address of a customer, and returns whether there was one. Of one
 * that was undone, which is how most of its customers go, the report stays without them. An import that is under way is waited for:
 * the job is done again.
 */
export async function forgetImports(tx: Tx, { companyId, email }: Erased): Promise<number> {
  const { rows } = await sql<Columns<'imports', 'id' | 'state'>>`select id, state from imports
    where company_id = ${companyId} and (
      exists (select from import_contents where company_id = ${companyId} and import_id = imports.id
        and position(lower(${email}) in lower(${content})) > 0)
      or exists (select from import_changes where company_id = ${companyId} and import_id = imports.id
        and ${named(email)}))
    limit 1 for update`.execute(tx)
  const [found] = rows
  if (found === undefined) return 0
  if (found.state === 'importing' || found.state === 'undoing')
    throw new Error(`import ${found.id} names the customer and is under way`)
  if (found.state === 'undone') await forgetInReport(tx, { companyId, email }, found.id)
  else await tx.deleteFrom('imports').where('company_id', '=', companyId).where('id', '=', found.id).execute()
  return 1
}

/** Nothing of the file is needed any more, and of the changes only what became of them. */
async function forgetInReport(tx: Tx, { companyId, email }: Pick<Erased, 'companyId' | 'email'>, id: number) {
  await tx.deleteFrom('import_contents').where('company_id', '=', companyId).where('import_id', '=', id).execute()
  await sql`update import_changes set name = '', before = null, after = 'null'
    where company_id = ${companyId} and import_id = ${id} and ${named(email)}`.execute(tx)
}
