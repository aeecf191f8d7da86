import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Subscribers, group members and news recipients')

export const subscriberNotFound = defineProblem<string>('subscriber_not_found', {
  code: 'not_found',
  message: (id) => `There is no subscriber ${id}.`,
  when: 'The subscriber does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of subscribers for their ids.',
})

export const groupMemberNotFound = defineProblem<string>('group_member_not_found', {
  code: 'not_found',
  message: (id) => `There is no group member ${id}.`,
  when: 'The group member does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of group members for their ids.',
})

export const newsRecipientNotFound = defineProblem<string>('news_recipient_not_found', {
  code: 'not_found',
  message: (id) => `There is no newsletter recipient ${id}.`,
  when: 'The newsletter recipient does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of newsletter recipients for their ids.',
})

/** A company sees its own customers only, so this reveals nothing about others. */
export const customerUnknown = defineFault('audience_customer_unknown', {
  message: 'must be the token of a customer',
  when: 'The company has no customer with this token.',
  remedy: 'Send the token of a customer of the company, or an `email` instead.',
})

export const subscriberTaken = defineFault('subscriber_taken', {
  message: 'has this person as a subscriber already',
  when: 'The person is a subscriber of this group already, whether the subscription has ended or not.',
  remedy: 'Find the subscriber with `email` and `group_id`, and change `ends_at` of that one.',
})

export const groupMemberTaken = defineFault('group_member_taken', {
  message: 'has this person as a member already',
  when: 'The person is a member of this group already, now or in another period.',
  remedy: 'Find the member with `email` and `group_id`, and change `start_at` and `end_at` of that one.',
})

export const newsletterShopUnknown = defineFault('newsletter_shop_unknown', {
  message: 'must be the id of a theme setting of the company',
  when: 'The company has no shop with this id, or no shop at all.',
  remedy: 'Send the id of a theme setting, or leave it out for the first shop.',
})

export const consentInFuture = defineFault('consent_in_future', {
  message: 'must not be in the future',
  when: '`confirmed_at` is later than now.',
  remedy: 'Send the time at which the person agreed, or leave it out: the person is then asked by mail.',
})
