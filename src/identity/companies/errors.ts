import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Companies')

export const companyNotFound = defineProblem<string>('company_not_found', {
  code: 'not_found',
  message: (id) => `There is no company ${id}.`,
  when: 'The company does not exist, or does not name this one as its partner.',
  remedy: 'Check the id. A token reads its own company and, for a partner, the companies that name it.',
})

export const partnersOnly = defineProblem('partners_only', {
  code: 'forbidden',
  message: 'Only a partner can search companies, and this company is the partner of none.',
  when: 'A company that is no partner searches companies.',
  remedy: 'Read your own company with `GET /api/companies.json`.',
})

export const companyNotOffered = defineFault('company_not_offered', {
  message: 'is none of the companies that you can work for',
  when: 'A user goes on to a company that is not their own, and does not name it as its partner.',
  remedy: 'Read `companies` of `GET /admin/api/session.json`.',
})

export const cardNumberInvalid = defineFault('card_number_invalid', {
  message: 'is not the number of a card',
  when: 'The card number has the wrong length or a wrong check digit.',
  remedy: 'Ask the shop owner to type the number again.',
})
