import { priceUnknown } from '#catalog/prices/errors.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import { INVALID } from '#catalog/prices/rules.ts'
import { randomProductId } from '#catalog/products/commands.ts'
import { termNoLongerValid } from '#catalog/products/errors.ts'
import { PRODUCTS } from '#catalog/products/queries.ts'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { groupUnknown } from '#people/groups/errors.ts'
import { findGroup } from '#people/groups/queries.ts'
import { kindOf } from '#people/groups/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { groupNotForSubscriptions, planInUse, tooManyPlans } from './errors.ts'
import { presentPlan } from './present.ts'
import { countPlans, lockPlan, PLANS } from './queries.ts'
import { changePlan, newPlan, PLANS_MAX } from './rules.ts'
import type { PlanChange, PlanInput } from './schema.ts'
import type { PlanState } from './state.ts'

/** Creates a plan. Its id and code in lines of orders are those that a new product would get, which none gets now. */
export async function createPlan(tx: Tx, author: Author, input: PlanInput, now: Date): Promise<Written<PlanState>> {
  const { companyId } = author
  if ((await countPlans(tx, companyId)) >= PLANS_MAX) throw tooManyPlans(PLANS_MAX)
  const [ids, products] = await Promise.all([takeIds(tx, PLANS, 1, 0), takeIds(tx, PRODUCTS, 1, 0)])
  const identity = { product_key: products.takeRowId(), product_id: randomProductId() }
  const plan = newPlan({ company_id: companyId, id: ids.takeRowId(), ...identity }, input, now)
  await checkReferences(tx, undefined, plan)
  await tx.insertInto('plans').values(columns(plan)).execute().catch(refuseGroup)
  shopChanged(tx, companyId)
  await recordChange(tx, author, 'plan created', nameOf(plan), now)
  return written(plan)
}

/** Changes the fields that the input names. They count for those who sign up from now on. */
export async function updatePlan(
  tx: Tx,
  author: Author,
  ref: string,
  input: PlanChange,
  now: Date,
): Promise<Written<PlanState>> {
  const before = await lockPlan(tx, author.companyId, ref)
  const plan = changePlan(before, input, now)
  await checkReferences(tx, before, plan)
  await tx
    .updateTable('plans')
    .set(columns(plan))
    .where('company_id', '=', plan.company_id)
    .where('id', '=', plan.id)
    .execute()
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'plan changed', nameOf(plan), now)
  return written(plan)
}

/** Deletes a plan that nobody has signed up to. */
export async function deletePlan(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const plan = await lockPlan(tx, author.companyId, ref)
  await tx
    .deleteFrom('plans')
    .where('company_id', '=', plan.company_id)
    .where('id', '=', plan.id)
    .execute()
    .catch(refuseUsed(plan))
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'plan deleted', nameOf(plan), now)
}

const nameOf = ({ title, id, group_id }: PlanState) => `${title} (${id}, ${group_id})`

/** A group or a price that is named for the first time has to exist, and people have to be able to pay the price. */
async function checkReferences(
  tx: Tx,
  before: PlanState | undefined,
  { company_id, group_id, price_id }: PlanState,
): Promise<void> {
  const report = new FieldReport()
  if (before === undefined) await reportGroup(tx, company_id, group_id, report)
  if (price_id !== before?.price_id) {
    const [price] = await readPrices(tx, company_id, [price_id])
    if (price === undefined) report.add('price_id', priceUnknown())
    else if (price.valid === INVALID) report.add('price_id', termNoLongerValid())
  }
  report.throwIfAny()
}

async function reportGroup(tx: Tx, companyId: number, groupId: string, report: FieldReport): Promise<void> {
  const group = await findGroup(tx, companyId, groupId)
  if (group === undefined) report.add('group_id', groupUnknown())
  else if (kindOf(group.group_id) !== 'subscription') report.add('group_id', groupNotForSubscriptions())
}

function columns(plan: PlanState) {
  return { ...plan, locales: JSON.stringify(plan.locales) }
}

function written(plan: PlanState): Written<PlanState> {
  return { state: plan, document: asciiJson(presentPlan(plan)) }
}

/** Subscriptions are above plans, which cannot ask for them. */
const refuseUsed =
  ({ id }: PlanState) =>
  (error: { code?: string; table?: string }): never => {
    throw error.code === '23503' && error.table === 'subscriptions' ? planInUse(id) : error
  }

/** The group can be deleted between the check and the insert. */
function refuseGroup(error: { code?: string; constraint?: string }): never {
  throw error.code === '23503' && error.constraint === 'plans_group'
    ? validationFailed('group_id', groupUnknown())
    : error
}
