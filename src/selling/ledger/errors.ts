import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Ledger')

export const statementNotFound = defineProblem<string>('statement_not_found', {
  code: 'not_found',
  message: (month) => `There is no statement for ${month}: a month is written like 2026-05.`,
  when: 'The path names something that is not a month.',
  remedy: 'Read the list of statements for their months.',
})
