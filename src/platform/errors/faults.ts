import { problemsOf } from './problem.ts'

/** The faults that any field can have, whether a schema or a rule finds them. */

const { defineFault } = problemsOf('Any field')

export const fieldRequired = defineFault('field_required', {
  message: 'is required',
  when: 'A field that has to be there is missing, or empty.',
  remedy: 'Send the field that `errors` names.',
})

export const fieldBlank = defineFault('field_blank', {
  message: "can't be blank",
  when: 'A text is there and holds nothing.',
  remedy: 'Send a text that is not empty.',
})

export const fieldWrongType = defineFault<string>('field_wrong_type', {
  message: (types) => `must be ${types}`,
  when: 'A field holds another kind of value, such as a text in place of a number.',
  remedy: 'Send the type of value that `errors` names.',
})

export const fieldTooLong = defineFault<string>('field_too_long', {
  message: (sentence) => sentence,
  when: 'A text has more characters than the field can hold.',
  remedy: 'Shorten the text to the length that `errors` names.',
})

export const fieldTooShort = defineFault<number>('field_too_short', {
  message: (minimum) => `is too short (the minimum is ${minimum} characters)`,
  when: 'A text has fewer characters than the field needs.',
  remedy: 'Send at least as many characters as `errors` names.',
})

export const fieldOutOfRange = defineFault<string>('field_out_of_range', {
  message: (sentence) => sentence,
  when: 'A number is too small, too large, or has more decimals than the field can hold.',
  remedy: 'Send a number within the bounds that `errors` names.',
})

export const fieldNotAllowed = defineFault<readonly unknown[]>('field_not_allowed', {
  message: (values) => `must be one of ${values.join(', ')}`,
  when: 'The field takes one of a few values, and this is not one of them.',
  remedy: 'Send one of the values that `errors` lists.',
})

export const fieldInvalid = defineFault<string>('field_invalid', {
  message: (sentence) => sentence,
  when: 'A value does not have the form that the field asks for.',
  remedy: 'Send the value in the form that `errors` and the reference name.',
})

export const fieldReadOnly = defineFault<string>('field_read_only', {
  message: (sentence) => sentence,
  when: 'The field is set once, and the request tries to change it.',
  remedy: 'Leave the field out, or send it as it was read.',
})

export const fieldNotStorable = defineFault('field_not_storable', {
  message: 'has a character that cannot be stored',
  when: 'A text has a NUL character or half of a surrogate pair in it.',
  remedy: 'Remove the broken character from the text.',
})

export const tooManyEntries = defineFault<number>('too_many_entries', {
  message: (maximum) => `has too many entries (the maximum is ${maximum})`,
  when: 'A list has more entries than it can hold.',
  remedy: 'Send or keep fewer entries.',
})

export const tooFewEntries = defineFault('too_few_entries', {
  message: 'is not in the right form',
  when: 'A list is empty, and needs at least one entry.',
  remedy: 'Send at least one entry.',
})

export const entryRepeated = defineFault('entry_repeated', {
  message: 'is there twice',
  when: 'Two entries of a list name the same thing.',
  remedy: 'Send each thing once.',
})

export const timeInvalid = defineFault<string>('time_invalid', {
  message: (sentence) => sentence,
  when: 'A text is not a time.',
  remedy: 'Send a time such as `2024-06-10T09:30:00`, in UTC or with an offset.',
})

export const endBeforeStart = defineFault<string>('end_before_start', {
  message: (sentence) => sentence,
  when: 'A period ends before it starts.',
  remedy: 'Send an end that is later than the start.',
})

export const urlInvalid = defineFault('url_invalid', {
  message: 'must be an http or https address',
  when: 'A text is not a whole address on the web.',
  remedy: 'Send an address that starts with `http://` or `https://`.',
})

export const searchInvalid = defineFault<string>('search_invalid', {
  message: (form) => `must have the form ${form}`,
  when: 'The `query` of a search is not a field with a value.',
  remedy: 'Send the query as `field:value`, with one of the fields that `errors` lists.',
})
