import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Plans')

export const planNotFound = defineProblem<string>('plan_not_found', {
  code: 'not_found',
  message: (id) => `There is no plan ${id}.`,
  when: 'The plan does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of plans for their ids.',
})

export const groupNotForSubscriptions = defineFault('group_not_for_subscriptions', {
  message: 'is not a subscription group',
  when: 'A plan names an access group or a sharing group, which nobody subscribes to.',
  remedy: 'Send the id of a subscription group: its letter is `s`.',
})

export const planTermFixed = defineFault('plan_term_fixed', {
  message: 'cannot be changed, because people have agreed to it: make a new plan',
  when: 'A change of a plan names another group, another interval or another number of intervals.',
  remedy: 'Create a new plan, and send `valid` false for this one so that nobody signs up for it any more.',
})

export const tooManyPlans = defineProblem<number>('too_many_plans', {
  code: 'conflict',
  message: (maximum) => `A company can have ${maximum} plans: delete one that is not used any more.`,
  when: 'The company has as many plans as it can have.',
  remedy: 'Delete plans that are not used.',
})

export const planInUse = defineProblem<number>('plan_in_use', {
  code: 'conflict',
  message: (id) => `People have signed up to plan ${id}, which is kept for what they agreed to.`,
  when: 'Somebody has, or had, a subscription to the plan.',
  remedy: 'Send `valid` false, so that nobody signs up to it any more.',
})
