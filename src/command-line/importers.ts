import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { createCategory } from '#categories/commands.ts'
import { CategoryInput } from '#categories/schema.ts'
import type { Tx } from '#platform/db/database.ts'
import { createProduct } from '#products/commands.ts'
import { ProductInput } from '#products/schema.ts'

export type Importer = (tx: Tx, companyId: number, entry: unknown, now: Date) => Promise<unknown>

function checked<Input>(schema: TSchema, entry: unknown): Input {
  const [mistake] = Value.Errors(schema, entry)
  if (mistake !== undefined)
    throw new Error(`${mistake.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${mistake.message}.`)
  return entry as Input
}

/** What a file can bring in, in the order in which it is brought in. */
export const IMPORTERS: Record<string, Importer> = {
  categories: (tx, companyId, entry, now) =>
    createCategory(tx, { companyId }, checked<CategoryInput>(CategoryInput, entry), now),
  products: (tx, companyId, entry, now) =>
    createProduct(tx, { companyId }, checked<ProductInput>(ProductInput, entry), now),
}
