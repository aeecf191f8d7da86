import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Subscriptions')

export const subscriptionNotFound = defineProblem<string>('subscription_not_found', {
  code: 'not_found',
  message: (id) => `There is no subscription ${id}.`,
  when: 'The subscription does not exist, or belongs to another company.',
  remedy: 'Read the list of subscriptions for their ids.',
})

export const planUnknown = defineFault('plan_unknown', {
  message: 'is not a plan of the company',
  when: 'The plan does not exist, or belongs to another company.',
  remedy: 'Read the list of plans for their ids.',
})

export const planNotOffered = defineFault('plan_not_offered', {
  message: 'is not offered any more',
  when: 'The plan is not valid, or its price was deleted.',
  remedy: 'Choose another plan of the group.',
})

export const groupClosed = defineFault('subscription_group_closed', {
  message: 'belongs to a group that is closed',
  when: 'The group of the plan is not valid, so that its members could use nothing.',
  remedy: 'Make the group valid first.',
})

export const planOfAnotherGroup = defineFault('plan_of_another_group', {
  message: 'belongs to another group',
  when: 'A subscription changes to a plan of another group.',
  remedy: 'Sign up to the other group, and cancel this subscription.',
})

export const alreadySubscribed = defineProblem<string>('already_subscribed', {
  code: 'conflict',
  message: (group) => `The customer has a subscription to ${group} already.`,
  when: 'A customer signs up to a group that the customer is a subscriber of.',
  remedy: 'Change the plan of the subscription that is there.',
})

export const subscriptionNotChangeable = defineProblem<string>('subscription_not_changeable', {
  code: 'conflict',
  message: (status) => `This cannot be done with a subscription that is ${status.replace('_', ' ')}.`,
  when: 'The subscription is in a state that does not allow it, or a payment of it is under way.',
  remedy: 'Read the subscription for its state.',
})

export const planPriceChanged = defineProblem('plan_price_changed', {
  code: 'conflict',
  message: 'The change of plan costs something else by now: check it again.',
  when: 'A customer agrees to an amount that was right when the page was opened.',
  remedy: 'Show what it costs now, and ask again.',
})

export const planNotPausable = defineProblem('plan_not_pausable', {
  code: 'conflict',
  message: 'Subscriptions to this plan cannot be paused.',
  when: 'The plan does not allow pauses.',
  remedy: 'Allow them in the plan (`pausable`).',
})

export const timeNotAhead = defineFault('time_not_ahead', {
  message: 'must be after the end of the period',
  when: 'A pause or an extension does not last longer than what was paid.',
  remedy: 'Choose a later time.',
})

export const pauseTooLong = defineFault('pause_too_long', {
  message: 'is more than a year after the end of the period',
  when: 'A pause is longer than a year.',
  remedy: 'Cancel the subscription instead.',
})

export const extensionTooLong = defineFault('extension_too_long', {
  message: 'is more than ten years after the end of the period',
  when: 'A subscription is extended by more than ten years.',
  remedy: 'Check the year. To let somebody stay longer, make them a member of the group without a subscription.',
})
