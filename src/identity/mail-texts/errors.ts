import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Mails')

export const mailKindNotFound = defineProblem<string>('mail_kind_not_found', {
  code: 'not_found',
  message: (ref) => `There is no kind of mail ${ref}.`,
  when: 'The path names a kind of mail, or a language, that there is not.',
  remedy: 'Read the list of mail kinds.',
})

export const mailTextUnknown = defineFault('mail_text_unknown', {
  message: 'is not a text of this kind of mail',
  when: 'A text is written that the kind of mail does not have.',
  remedy: 'Send the names that the texts of the kind have when they are read.',
})

export const mailTextMalformed = defineFault('mail_text_malformed', {
  message: 'has a brace that is not closed, or something in braces that is no variable',
  when: 'A text of a mail is no ICU message.',
  remedy: 'Write variables as `{shop}`, and close every brace.',
})

export const mailVariableUnknown = defineFault<{ unknown: string; known: readonly string[] }>('mail_variable_unknown', {
  message: ({ unknown, known }) =>
    known.length === 0
      ? `has the variable {${unknown}}, but this text has none`
      : `has the variable {${unknown}}, but this text only has ${known.map((name) => `{${name}}`).join(', ')}`,
  when: 'A text of a mail names a variable that it is not given.',
  remedy: 'Use the `variables` that the text has when it is read.',
})

export const mailTextBroken = defineFault('mail_text_in_lines', {
  message: 'must be in one line',
  when: 'A subject, a heading or the text of a button has a line break.',
  remedy: 'Write it in one line.',
})
