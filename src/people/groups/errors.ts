import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Groups')

export const groupNotFound = defineProblem<string>('group_not_found', {
  code: 'not_found',
  message: (id) => `There is no group ${id}.`,
  when: 'The group does not exist, was deleted, or belongs to another company.',
  remedy: 'Read the list of groups for their ids.',
})

export const groupUnknown = defineFault('group_unknown', {
  message: 'is not a group of this shop',
  when: 'A field names a group that does not exist, or belongs to another company.',
  remedy: 'Send the id of one of the groups of the company, or create the group first.',
})

export const groupTaken = defineFault('group_taken', {
  message: 'is the id of another group of the company',
  when: 'The company has a group with this letter and number already.',
  remedy: 'Change that group, or leave the id out to get the next free one.',
})

export const groupKindMissing = defineFault('group_kind_missing', {
  message: 'is required without an id',
  when: 'A new group has neither an id nor a kind.',
  remedy: 'Send `kind`: `access`, `subscription` or `sharing`.',
})

export const groupKindDiffers = defineFault('group_kind_differs', {
  message: 'does not fit the letter of the id',
  when: 'A new group has an id with the letter of another kind.',
  remedy: 'Leave the kind out: the letter says it.',
})

export const groupHasPlans = defineProblem<string>('group_has_plans', {
  code: 'conflict',
  message: (title) => `The group "${title}" is sold by plans: delete them first, or make the group invalid.`,
  when: 'The request deletes a group that plans sell.',
  remedy: 'Delete the plans of the group first, or send `valid` false for the group.',
})

/** All groups of a customer are read at once. */
export const tooManyGroups = defineProblem<number>('too_many_groups', {
  code: 'conflict',
  message: (maximum) => `A company can have ${maximum} groups: delete one that is not used any more.`,
  when: 'The company has as many groups as it can have.',
  remedy: 'Delete groups that are not used.',
})
