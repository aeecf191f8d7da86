import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Companies')

export const companyNameDiffers = defineFault('company_name_differs', {
  message: 'is not the name of the company',
  when: 'The name that was typed to confirm the deletion of a company is another one.',
  remedy: 'Send `company_name` as `GET /admin/api/company.json` shows it.',
})

export const deletionRequested = defineProblem('company_deletion_requested', {
  code: 'conflict',
  message: 'The company will be deleted already.',
  when: 'The deletion of a company is asked for a second time.',
  remedy: 'Read the day with `GET /admin/api/company/deletion.json`, or cancel it with `DELETE`.',
})

export const deletionNotRequested = defineProblem('company_deletion_not_requested', {
  code: 'conflict',
  message: 'Nobody asked for the deletion of this company.',
  when: 'A deletion is cancelled that nobody asked for, or that was cancelled already.',
  remedy: 'There is nothing to do.',
})

export const deletionOfAnother = defineProblem('company_deletion_of_another', {
  code: 'forbidden',
  message: 'A company is deleted by its own users only.',
  when: 'A user of the partner, who works for the company, asks for its deletion.',
  remedy: 'Ask a user of the company who has all permissions.',
})
