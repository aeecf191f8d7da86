import { languageUnknown } from '#identity/languages/errors.ts'
import { readLanguage } from '#identity/languages/rules.ts'
import { urlInvalid } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { isWebAddress } from '../addresses.rules.ts'
import { menuLinkAmbiguous, menuTitleMissing, sectionCategoryMissing, sectionProductsMissing } from './errors.ts'
import type { HomeSectionInput, MenuEntryInput } from './schema.ts'
import type { StoredMenuEntry, StoredSection, StoredTitle } from './state.ts'

/** The sections of the home page as they are stored. Those that show nothing are reported. */
export function readSections(inputs: readonly HomeSectionInput[], report: FieldReport): StoredSection[] {
  return inputs.map(({ kind, hidden = false, category_id = null, product_ids = [], locales = [] }, index) => {
    const at = `home_sections[${index}]`
    if (kind === 'category' && category_id === null) report.add(`${at}.category_id`, sectionCategoryMissing())
    if (kind === 'products' && product_ids.length === 0) report.add(`${at}.product_ids`, sectionProductsMissing())
    return {
      kind,
      hidden,
      category_id: kind === 'category' ? category_id : null,
      product_ids: kind === 'products' || kind === 'hero' ? [...new Set(product_ids)] : [],
      locales: readTitles(locales, at, report),
    }
  })
}

/** The links of the menu as they are stored. */
export function readMenu(inputs: readonly MenuEntryInput[], report: FieldReport): StoredMenuEntry[] {
  return inputs.map(({ category_id = null, page = null, url = '', locales = [] }, index) => {
    const at = `menu[${index}]`
    const titles = readTitles(locales, at, report)
    const targets = [category_id !== null, page !== null, url !== ''].filter(Boolean).length
    if (targets !== 1) report.add(at, menuLinkAmbiguous())
    if (url !== '' && !isWebAddress(url)) report.add(`${at}.url`, urlInvalid())
    if (url !== '' && titles.length === 0) report.add(`${at}.locales`, menuTitleMissing())
    return { category_id, page, url, locales: titles }
  })
}

type TitleInput = NonNullable<MenuEntryInput['locales']>[number]

/** Empty titles are left out; of two in one language the last one counts. */
function readTitles(inputs: readonly TitleInput[], at: string, report: FieldReport): StoredTitle[] {
  const titles = new Map<string, string>()
  for (const [index, { language_id, title }] of inputs.entries()) {
    const language = readLanguage(language_id)
    if (language === undefined) report.add(`${at}.locales[${index}].language_id`, languageUnknown())
    else if (title.trim() !== '') titles.set(language, title.trim())
  }
  return [...titles].map(([language, title]) => ({ language, title }))
}

type References = { categories: Map<string, number>; products: Map<string, number> }

/** The categories and products that were not named before, each with the field that names it. */
export function newReferences(
  before: { home_sections: readonly StoredSection[] | null; menu: readonly StoredMenuEntry[] | null } | undefined,
  after: { home_sections: readonly StoredSection[] | null; menu: readonly StoredMenuEntry[] | null },
): References {
  const known = before === undefined ? undefined : referencesIn(before)
  const wanted = referencesIn(after)
  const isNew = (kept: Map<string, number> | undefined) => {
    const ids = new Set(kept?.values())
    return ([, id]: [string, number]) => !ids.has(id)
  }
  return {
    categories: new Map([...wanted.categories].filter(isNew(known?.categories))),
    products: new Map([...wanted.products].filter(isNew(known?.products))),
  }
}

function referencesIn({ home_sections, menu }: Parameters<typeof newReferences>[1]): References {
  const categories = new Map<string, number>()
  const products = new Map<string, number>()
  for (const [index, { category_id, product_ids }] of (home_sections ?? []).entries()) {
    if (category_id !== null) categories.set(`home_sections[${index}].category_id`, category_id)
    for (const [place, id] of product_ids.entries()) products.set(`home_sections[${index}].product_ids[${place}]`, id)
  }
  for (const [index, { category_id }] of (menu ?? []).entries())
    if (category_id !== null) categories.set(`menu[${index}].category_id`, category_id)
  return { categories, products }
}
