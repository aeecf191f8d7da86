import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Categories')

export const categoryUnknown = defineFault('category_unknown', {
  message: 'is not a category of this shop',
  when: 'A field names a category that does not exist, or belongs to another company.',
  remedy: 'Send the id of one of the categories of the company.',
})

export const categoryBelowItself = defineFault('category_below_itself', {
  message: "can't be the category itself or one below it",
  when: 'The new parent of a category is the category itself, or lies below it.',
  remedy: 'Choose a parent from another branch.',
})
