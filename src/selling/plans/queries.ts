import type { Db, Tx } from '#platform/db/database.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { planNotFound } from './errors.ts'
import type { PlanState } from './state.ts'

export const PLANS = 'plans'

/** Every read of plans starts here, so none can forget the company. */
export function plansOf(db: Db, companyId: number) {
  return db.selectFrom('plans').where('plans.company_id', '=', companyId)
}

const whole = (plans: ReturnType<typeof plansOf>) =>
  plans.selectAll().$narrowType<Pick<PlanState, 'locales' | 'interval'>>()

export type PlanFilters = Optional<{ group_id: string; since_id: number }>

const FILTERS: Filters<ReturnType<typeof plansOf>, PlanFilters> = {
  group_id: (plans, groupId) => plans.where('plans.group_id', '=', groupId),
  since_id: (plans, id) => plans.where('plans.id', '>', id),
}

const listed = prepareList((db: Db, { company, ...filters }: PlanFilters & { company: number }) =>
  whole(narrow(plansOf(db, company), FILTERS, filters)),
)

export function listPlans(db: Db, companyId: number, { group_id }: PlanFilters = {}): RowList<PlanState> {
  return listed(db, { group_id: group_id?.toLowerCase(), company: companyId })
}

const counted = prepareFamily((db: Db, filters: PlanFilters, companyId: number) =>
  narrow(plansOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** A company has a hundred at most, so they are counted in the table. */
export async function countPlans(db: Db, companyId: number, filters: PlanFilters = {}): Promise<number> {
  const [row] = await counted(db, { ...filters, group_id: filters.group_id?.toLowerCase() }, companyId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  whole(plansOf(db, companyId)).where('plans.id', '=', id).compile(),
)

export async function findPlan(db: Db, companyId: number, id: number): Promise<PlanState | undefined> {
  const [plan] = await byId(db, companyId, id)
  return plan
}

/** A plan; another company's is not found. */
export async function getPlan(db: Db, companyId: number, ref: string): Promise<PlanState> {
  const plan = /^\d{1,15}$/.test(ref) ? await findPlan(db, companyId, Number(ref)) : undefined
  if (plan === undefined) throw planNotFound(ref)
  return plan
}

/** getPlan that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockPlan(tx: Tx, companyId: number, ref: string): Promise<PlanState> {
  if (!/^\d{1,15}$/.test(ref)) throw planNotFound(ref)
  const plan = await whole(plansOf(tx, companyId))
    .where('plans.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (plan === undefined) throw planNotFound(ref)
  return plan
}

const ofGroup = prepare((db: Db, companyId: number, groupId: string) =>
  whole(plansOf(db, companyId))
    .where('plans.group_id', '=', groupId)
    .where('plans.valid', '=', true)
    .orderBy('plans.id')
    .compile(),
)

/** The plans that people can sign up for, in the order in which they were made. */
export function readPlansOfGroup(db: Db, companyId: number, groupId: string): Promise<PlanState[]> {
  return ofGroup(db, companyId, groupId)
}
