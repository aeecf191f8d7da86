import { useState } from 'react'
import type { Category } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Sortable } from '../ui/forms/sortable.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ArrangedRow } from './arranged-row.tsx'
import { topOf } from './categories.ts'
import { PAGES } from './draft.ts'
import type { PartProps } from './languages.tsx'
import type { MenuEntry } from './queries.ts'
import { anyTitle, titleIn, withTitle } from './titles.ts'

const LINKS_MAX = 20

const EMPTY: MenuEntry = { category_id: null, page: null, url: '', locales: [] }

type MenuProps = PartProps & { categories: readonly Category[] }

/** Where the links in the header of the shop lead. */
export function Menu({ draft, set, errorAt, language, categories }: MenuProps) {
  const { menu } = draft
  const [edited, setEdited] = useState<number>()
  const change = (next: MenuEntry[] | null) => set({ menu: next })
  if (menu === null)
    return (
      <Card title={t('shop_menu.title')}>
        <div className="card-body stack">
          <p className="muted">{t('shop_menu.automatic')}</p>
          <div className="actions">
            <Button onClick={() => change(topOf(categories).map(({ id }) => ({ ...EMPTY, category_id: id })))}>
              {t('shop_home.arrange')}
            </Button>
          </div>
        </div>
      </Card>
    )
  const targetOf = ({ category_id, page, url }: MenuEntry) => {
    if (page !== null) return t(`shop.pages.${page}`)
    return category_id === null ? url : (categories.find(({ id }) => id === category_id)?.title ?? t('shop_home.gone'))
  }
  const nameOf = (entry: MenuEntry) => anyTitle(entry.locales, language) || targetOf(entry) || t('shop_menu.new')
  const kindOf = ({ category_id, page }: MenuEntry) =>
    t(page !== null ? 'shop_menu.page' : category_id !== null ? 'shop_menu.category' : 'shop_menu.url')
  const put = (place: number, entry: MenuEntry) => change(menu.with(place, entry))
  return (
    <Card title={t('shop_menu.title')} aside={t('sortable.about')}>
      <Sortable
        label={t('shop_menu.title')}
        items={menu}
        onItems={(next) => {
          setEdited(undefined)
          change(next)
        }}
        nameOf={nameOf}
      >
        {(entry, place) => (
          <ArrangedRow
            name={nameOf(entry)}
            head={
              <>
                <strong className="grow cut">{nameOf(entry)}</strong>
                <span className="muted small">{kindOf(entry)}</span>
              </>
            }
            isOpen={edited === place}
            toggle={() => setEdited(edited === place ? undefined : place)}
            remove={() => {
              setEdited(undefined)
              change(menu.toSpliced(place, 1))
            }}
          >
            <div className="stack section-edit">
              <TextField
                label={t('shop_home.title', { language: languageName(language) })}
                value={titleIn(entry.locales, language)}
                onValue={(title) => put(place, { ...entry, locales: withTitle(entry.locales, language, title) })}
                error={errorAt(`menu[${place}].locales`)}
              />
              {entry.category_id === null && entry.page === null && (
                <TextField
                  label={t('shop_menu.address')}
                  hint={t('shop_menu.address_hint')}
                  value={entry.url}
                  onValue={(url) => put(place, { ...entry, url: url.trim() })}
                  error={errorAt(`menu[${place}].url`) ?? errorAt(`menu[${place}]`)}
                  maxLength={2000}
                />
              )}
            </div>
          </ArrangedRow>
        )}
      </Sortable>
      <div className="card-body actions">
        {menu.length < LINKS_MAX && (
          <select
            className="input"
            aria-label={t('shop_menu.add')}
            value=""
            onChange={({ target: { value } }) => {
              const page = PAGES.find((each) => each === value) ?? null
              const isLink = value === 'link'
              if (isLink) setEdited(menu.length)
              change([...menu, { ...EMPTY, page, category_id: page === null && !isLink ? Number(value) : null }])
            }}
          >
            <option value="">{t('shop_menu.add')}</option>
            <option value="link">{t('shop_menu.url')}</option>
            <optgroup label={t('shop_menu.pages')}>
              {PAGES.filter((page) => !menu.some((entry) => entry.page === page)).map((page) => (
                <option key={page} value={page}>
                  {t(`shop.pages.${page}`)}
                </option>
              ))}
            </optgroup>
            <optgroup label={t('shop_home.categories')}>
              {categories
                .filter(({ id }) => !menu.some(({ category_id }) => category_id === id))
                .map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
            </optgroup>
          </select>
        )}
        <Button look="plain" onClick={() => change(null)}>
          {t('shop_home.back_to_automatic')}
        </Button>
      </div>
    </Card>
  )
}
