import { sql } from 'kysely'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { recordChange } from '#history/audit/commands.ts'
import { groupUnknown } from '#people/groups/errors.ts'
import { findGroup } from '#people/groups/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { randomBelow } from '#platform/identity/crypto.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentRedemptionCode } from './present.ts'
import { getRedemptionCode, lockRedemptionCode, REDEMPTION_CODES } from './queries.ts'
import { insertCodes, insertSoldCodes } from './rows.commands.ts'
import { assertAhead, givenBy, givenByGroup, newCode, readChange, readMembership } from './rules.ts'
import type { NewRedemptionCodes, RedemptionCodeChange } from './schema.ts'
import type { Given, ListedCode, RedemptionCodeState, SoldCode } from './state.ts'

/** Makes codes for a product of the company, or for a membership of one of its groups. */
export async function createRedemptionCodes(
  tx: Tx,
  author: Author,
  input: NewRedemptionCodes,
  now: Date,
): Promise<Written<RedemptionCodeState[]>> {
  const { companyId } = author
  const { count = 1, uses = 1 } = input
  const chosen = readChange({ expires_at: null, note: '' }, input)
  assertAhead(chosen, now)
  const membership = readMembership(input, now)
  const given =
    membership.group_id === null
      ? await readProduct(tx, companyId, input, now)
      : givenByGroup(await readTitle(tx, companyId, membership.group_id))
  const { takeRowId } = await takeIds(tx, REDEMPTION_CODES, count, 0)
  const made = Array.from(
    { length: count },
    (): ListedCode => ({
      ...given,
      ...chosen,
      ...membership,
      company_id: companyId,
      id: takeRowId(),
      code: newCode(randomBelow),
      own: false,
      uses_max: uses,
      uses: 0,
      uses_ended: 0,
      order_id: null,
      line_id: null,
      on_hold: false,
      revoked_at: null,
      created_at: now,
      updated_at: now,
      gift: null,
    }),
  )
  await insertCodes(tx, companyId, made)
  await recordChange(tx, author, 'redemption codes created', `${count} × ${given.title}`.slice(0, 200), now)
  return { state: made, document: `[${made.map((code) => asciiJson(presentRedemptionCode(code, now))).join(',')}]` }
}

async function readProduct(tx: Tx, companyId: number, input: NewRedemptionCodes, now: Date): Promise<Given> {
  const ref = input.product_id?.trim() ?? ''
  return givenBy((await readForSale(tx, companyId, [ref], now)).get(ref), input, companyId, now)
}

/** The title of a group that codes make members of; another company's is not known. */
async function readTitle(tx: Tx, companyId: number, groupId: string): Promise<string> {
  const group = await findGroup(tx, companyId, groupId)
  if (group === undefined) throw validationFailed('group_id', groupUnknown())
  return group.title
}

/** Changes note and expiry. A code can be made valid again by a later expiry. */
export async function updateRedemptionCode(
  tx: Tx,
  author: Author,
  ref: string,
  input: RedemptionCodeChange,
  now: Date,
): Promise<Written<ListedCode>> {
  const before = await lockRedemptionCode(tx, author.companyId, ref)
  await saveCode(tx, before, readChange(before, input), now)
  await recordChange(tx, author, 'redemption code changed', before.code, now)
  return written(tx, before, now)
}

/** Ends what is left of a code. What was redeemed stays with its customers. */
export async function revokeRedemptionCode(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const before = await lockRedemptionCode(tx, author.companyId, ref)
  if (before.revoked_at !== null) return
  await saveCode(tx, before, { revoked_at: now }, now)
  await recordChange(tx, author, 'redemption code revoked', before.code, now)
}

export async function saveCode(
  tx: Tx,
  { company_id, id }: Pick<RedemptionCodeState, 'company_id' | 'id'>,
  changed: Partial<Pick<RedemptionCodeState, 'expires_at' | 'note' | 'revoked_at' | 'uses'>>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('redemption_codes')
    .set({ ...changed, updated_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
}

async function written(
  tx: Tx,
  { company_id, id }: Pick<RedemptionCodeState, 'company_id' | 'id'>,
  now: Date,
): Promise<Written<ListedCode>> {
  const state = await getRedemptionCode(tx, company_id, String(id))
  return { state, document: asciiJson(presentRedemptionCode(state, now)) }
}

/** Stores the codes that an order sells. */
export function addSoldCodes(tx: Tx, companyId: number, codes: readonly SoldCode[], now: Date): Promise<void> {
  return insertSoldCodes(tx, companyId, codes, now)
}

/**
 * Ends unused uses of the codes of an order, as many as belong to the pieces that are given back of those that were sold. What
 * was redeemed stays. A code that loses its last use in this way is revoked, and not used up.
 */
export async function endSoldCodes(
  tx: Tx,
  companyId: number,
  orderId: number,
  lines: readonly { line_id: number; quantity: number; sold: number }[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return
  const ids = lines.map(({ line_id }) => line_id)
  const quantities = lines.map(({ quantity }) => quantity)
  const sold = lines.map((line) => line.sold)
  const returnedUses = sql`(returned.quantity * (code.uses_max / returned.sold))`
  await sql`update redemption_codes as code
    set uses_ended = code.uses_ended + least(${returnedUses}, code.uses_max - code.uses - code.uses_ended),
      revoked_at = case when code.uses_max - code.uses - code.uses_ended between 1 and ${returnedUses}
        then coalesce(code.revoked_at, ${now}) else code.revoked_at end,
      updated_at = ${now}
    from unnest(${ids}::bigint[], ${quantities}::int[], ${sold}::int[]) as returned (line_id, quantity, sold)
    where code.company_id = ${companyId} and code.order_id = ${orderId} and code.line_id = returned.line_id`.execute(tx)
}

/** Lets the codes of an order be redeemed once it is confirmed, or stops them again. */
export async function holdSoldCodes(
  tx: Tx,
  companyId: number,
  orderId: number,
  isOnHold: boolean,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('redemption_codes')
    .set({ on_hold: isOnHold, updated_at: now })
    .where('company_id', '=', companyId)
    .where('order_id', '=', orderId)
    .execute()
}
