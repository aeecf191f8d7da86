import { productUnknown } from '#catalog/products/errors.ts'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { lockCustomer } from '#people/customers/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Written } from '#platform/wire/written.ts'
import { storedDocument, wholeDocument } from '../present.ts'
import { insertEntitlements } from '../rows.commands.ts'
import type { EntitlementState } from '../state.ts'
import { nothingToOpen, notIncluded } from './errors.ts'
import { readOpened } from './opened.queries.ts'
import { readOpenings } from './queries.ts'
import { chooseOpening, openableContents, openedContent } from './rules.ts'

/**
 * Opens a product for a member, so that it can be used like something that the customer owns. Opening it again gives the same.
 * Only what somebody really opens has a row; what a group includes is never copied to its members.
 */
export async function openContent(
  tx: Tx,
  { companyId, customerId }: { companyId: number; customerId: number },
  ref: string,
  now: Date,
): Promise<Written<EntitlementState[]>> {
  const { account } = await lockCustomer(tx, companyId, String(customerId))
  const product = (await readForSale(tx, companyId, [ref], now)).get(ref)
  if (product === undefined) throw validationFailed('product_id', productUnknown('this shop'))
  const contents = openableContents(product, companyId, now)
  if (contents.length === 0) throw nothingToOpen(product.title)
  const member = { companyId, customerId: account.id, token: account.token }
  const opening = chooseOpening(await readOpenings(tx, member, product.id), now)
  if (opening === undefined) throw notIncluded(product.title)
  const known = await readOpened(tx, member, opening.group_id, product.id)
  const isKnown = new Set(known.map(({ product_id }) => product_id))
  const added = contents
    .filter(({ product_id }) => !isKnown.has(product_id))
    .map((content) => openedContent(content, opening, { company_id: companyId, customer: account, product }))
  await insertEntitlements(tx, added, account.language, now)
  const opened = added.length === 0 ? known : await readOpened(tx, member, opening.group_id, product.id)
  const documents = opened.map((each) => wholeDocument(each, storedDocument(each, account.language, now)))
  return { state: opened, document: `[${documents.join(',')}]` }
}
