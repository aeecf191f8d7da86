import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Locales')

export const languageUnknown = defineFault('language_unknown', {
  message: 'is not the number of a language',
  when: 'A locale names a language by a number that stands for none.',
  remedy: 'Send a language code such as `en`, or the number of a language.',
})

export const languageInvalid = defineFault('language_invalid', {
  message: 'is not the code of a language',
  when: 'A language has a code that BCP 47 does not allow, such as `en-12`.',
  remedy: 'Send a code such as `en`, `de-AT` or `zh-Hant`.',
})

export const languageTaken = defineFault('language_taken', {
  message: 'is the language of another locale',
  when: 'Another locale of the same thing has this language.',
  remedy: 'Change the other locale, or remove it with `_destroy` first.',
})
