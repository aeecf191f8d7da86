import { languageId } from '#identity/languages/languages.facts.ts'
import { LANGUAGES, t } from '#platform/text/messages.ts'
import type { LicenseInput } from './schema.ts'
import { STARTER_LICENSES, type StarterLicense } from './starter.facts.ts'
import type { LicenseState } from './state.ts'

type Texts = NonNullable<LicenseInput['locales']>

/** The texts of a license that comes with the service, in some languages. */
function textsIn(languages: readonly string[], { name }: StarterLicense): Texts {
  return languages.flatMap((language) => {
    const language_id = languageId(language)
    const description = t(language, `rights.starter.${name}.description`)
    return language_id === undefined
      ? []
      : [{ language_id, name: t(language, `rights.starter.${name}.name`), description }]
  })
}

/** A license that comes with the service, as an owner would create it. */
export function starterInput(starter: StarterLicense): LicenseInput {
  const locales = textsIn(LANGUAGES, starter)
  return { name: t('en', `rights.starter.${starter.name}.name`), ...starter.terms, locales }
}

/** The texts that a stored license does not have yet, because it is older than the service's translations. */
export function missingTexts({ id, locales }: LicenseState): Texts {
  const starter = STARTER_LICENSES.get(id)
  const languages = LANGUAGES.filter((language) => !locales.some((locale) => locale.language === language))
  return starter === undefined ? [] : textsIn(languages, starter)
}
