import type { Db } from '#platform/db/database.ts'
import { findPlan } from '#selling/plans/queries.ts'
import { getClub } from '#shop/catalog-pages/memberships/club.queries.ts'
import type { Club, PricedPlan } from '#shop/catalog-pages/memberships/state.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'

/** A plan that somebody signs up to, with its group. */
export type ChosenPlan = { club: Club; plan: PricedPlan }

/** `gone`: the plan is not offered any more, but others of the group are. `closed`: nobody can sign up to the group at all. */
export type PlanChoice = ({ kind: 'chosen' } & ChosenPlan) | { kind: 'gone' | 'closed'; club: Club }

/** The plan that an address or a form names. One that the group never had is not found. */
export async function choosePlan(db: Db, companyId: number, group: string, planId: string): Promise<PlanChoice> {
  const id = /^\d{1,15}$/.test(planId) ? Number(planId) : 0
  const [club, known] = await Promise.all([getClub(db, companyId, group), findPlan(db, companyId, id)])
  if (known?.group_id !== club.group.group_id) throw shopPageNotFound()
  if (!club.isOpen || club.plans.length === 0) return { kind: 'closed', club }
  const plan = club.plans.find((each) => each.id === id)
  return plan === undefined ? { kind: 'gone', club } : { kind: 'chosen', club, plan }
}
