import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Limits of mails')

export const tooManyMails = defineProblem<number>('too_many_mails', {
  code: 'rate_limited',
  message: (seconds) =>
    `This address has had too many mails: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'The company has had five mails sent to one person within a short time, such as links to sign in, confirmations of orders or gifts.',
  remedy: 'Wait for `Retry-After` seconds. Ask the person to look for the mail among unwanted ones.',
})
