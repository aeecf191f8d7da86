import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Mails')

export const mailNotFound = defineProblem<string>('mail_not_found', {
  code: 'not_found',
  message: (id) => `There is no mail ${id}.`,
  when: 'The mail does not exist, is older than 30 days, belongs to another company, or has a link for signing in.',
  remedy: 'Read the list of mails for their ids.',
})

export const mailNotFailed = defineProblem<number>('mail_not_failed', {
  code: 'conflict',
  message: (id) => `Mail ${id} was sent, or still waits.`,
  when: 'A mail is sent again that has not failed.',
  remedy: 'Read the mail for its state.',
})

export const noOrderToShow = defineProblem('mail_preview_without_order', {
  code: 'conflict',
  message: 'There is no order yet with which this mail could be shown.',
  when: 'A mail about orders is previewed in a company that has no order.',
  remedy: 'Buy something in the shop, with a test payment if you like.',
})

export const tooManyTestMails = defineProblem<number>('too_many_test_mails', {
  code: 'rate_limited',
  message: (count) => `You have asked for ${count} test mails within an hour. Try again later.`,
  headers: () => ({ 'retry-after': '3600' }),
  when: 'Somebody asks for an eleventh test mail to the same address within an hour.',
  remedy: 'Wait, or look at the preview.',
})
