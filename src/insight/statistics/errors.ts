import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Statistics')

export const endBeforeStart = defineFault('period_reversed', {
  message: 'is before StartDate',
  when: 'Statistics are asked for with an end before the start.',
  remedy: 'Send the earlier day as `StartDate`. Both days are included.',
})

export const periodTooLong = defineFault<number>('period_too_long', {
  message: (days) => `is too far from StartDate (the maximum is ${days} days)`,
  when: 'Statistics are asked for more than ten years.',
  remedy: 'Ask for a part of the period.',
})

export const tooEarly = defineFault<string>('day_too_early', {
  message: (day) => `must not be before ${day}`,
  when: 'Statistics are asked for a day before the first that can have any.',
  remedy: 'Ask for later days.',
})

export const tooManyRecords = defineFault<number>('too_many_records', {
  message: (max) => `gives more than ${max} records: use group=month, or ask for fewer days`,
  when: 'Statistics of usage would have more than 100,000 records, one for each product and day.',
  remedy: 'Send `group=month`, or ask for a part of the period.',
})

export const tooManyProducts = defineFault<number>('too_many_products', {
  message: (max) => `is needed, because more than ${max} products sold: ask for fewer days, or for the first of them`,
  when: 'More than 100,000 products sold in the period that statistics are asked for, and no `limit` is given.',
  remedy: 'Send a `limit`, or ask for a part of the period.',
})
