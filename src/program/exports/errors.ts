import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Companies')

export const exportUnderWay = defineProblem('export_under_way', {
  code: 'conflict',
  message: 'An export of the company is under way: wait until it is done.',
  when: 'Somebody exports the company while another export of it is being sent.',
  remedy: 'Wait until the file of the other export has arrived, and ask again.',
})
