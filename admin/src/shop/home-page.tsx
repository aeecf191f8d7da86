import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Category, categoriesQuery } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/forms/fields.tsx'
import { Sortable } from '../ui/forms/sortable.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { ArrangedRow } from './arranged-row.tsx'
import { topOf } from './categories.ts'
import type { PartProps } from './languages.tsx'
import { Menu } from './menu.tsx'
import type { Section } from './queries.ts'
import { EditSection } from './section.tsx'
import { anyTitle } from './titles.ts'

const SECTIONS_MAX = 30

const emptySection = (kind: Section['kind']): Section => ({
  kind,
  hidden: false,
  category_id: null,
  product_ids: [],
  locales: [],
})

/** What the home page shows in which order, and where the menu leads. */
export function HomePage(props: PartProps) {
  const categories = useQuery(categoriesQuery).data ?? []
  return (
    <>
      <Sections {...props} categories={categories} />
      <Menu {...props} categories={categories} />
    </>
  )
}

type SectionsProps = PartProps & { categories: readonly Category[] }

function Sections({ draft, set, errorAt, language, categories }: SectionsProps) {
  const { sections } = draft
  const [edited, setEdited] = useState<number>()
  const change = (next: Section[] | null) => set({ sections: next })
  if (sections === null)
    return (
      <Card title={t('shop_home.sections')}>
        <div className="card-body stack">
          <p className="muted">{t('shop_home.automatic')}</p>
          <div className="actions">
            <Button
              onClick={() =>
                change([
                  emptySection('hero'),
                  ...topOf(categories).map(({ id }) => ({ ...emptySection('category'), category_id: id })),
                ])
              }
            >
              {t('shop_home.arrange')}
            </Button>
          </div>
        </div>
      </Card>
    )
  const nameOf = (section: Section) =>
    anyTitle(section.locales, language) ||
    (section.kind === 'category'
      ? (categories.find(({ id }) => id === section.category_id)?.title ?? t('shop_home.gone'))
      : t(`shop_home.kinds.${section.kind}`))
  const put = (place: number, section: Section) => change(sections.with(place, section))
  return (
    <Card title={t('shop_home.sections')} aside={t('sortable.about')}>
      <Sortable
        label={t('shop_home.sections')}
        items={sections}
        onItems={(next) => {
          setEdited(undefined)
          change(next)
        }}
        nameOf={nameOf}
      >
        {(section, place) => (
          <ArrangedRow
            name={nameOf(section)}
            head={
              <div className="grow">
                <strong>{nameOf(section)}</strong>
                <div className="muted small">{t(`shop_home.abouts.${section.kind}`)}</div>
              </div>
            }
            beside={
              <Check
                label={t('shop_home.shown')}
                isOn={!section.hidden}
                onChange={(isOn) => put(place, { ...section, hidden: !isOn })}
              />
            }
            isOpen={edited === place}
            toggle={() => setEdited(edited === place ? undefined : place)}
            remove={() => {
              setEdited(undefined)
              change(sections.toSpliced(place, 1))
            }}
          >
            <EditSection
              section={section}
              language={language}
              error={errorAt(`home_sections[${place}].product_ids`) ?? errorAt(`home_sections[${place}].category_id`)}
              onSection={(next) => put(place, next)}
            />
          </ArrangedRow>
        )}
      </Sortable>
      <div className="card-body actions">
        {sections.length < SECTIONS_MAX && (
          <AddSection
            categories={categories}
            sections={sections}
            add={(section) => {
              setEdited(section.kind === 'products' ? sections.length : undefined)
              change([...sections, section])
            }}
          />
        )}
        <Button look="plain" onClick={() => change(null)}>
          {t('shop_home.back_to_automatic')}
        </Button>
      </div>
    </Card>
  )
}

type AddProps = { categories: readonly Category[]; sections: readonly Section[]; add: (section: Section) => void }

function AddSection({ categories, sections, add }: AddProps) {
  const kinds = (['hero', 'newest', 'products'] as const).filter(
    (kind) => kind === 'products' || !sections.some((section) => section.kind === kind),
  )
  const others = categories.filter(({ id }) => !sections.some(({ category_id }) => category_id === id))
  return (
    <select
      className="input"
      aria-label={t('shop_home.add')}
      value=""
      onChange={({ target: { value } }) => {
        const kind = kinds.find((each) => each === value)
        add(kind === undefined ? { ...emptySection('category'), category_id: Number(value) } : emptySection(kind))
      }}
    >
      <option value="">{t('shop_home.add')}</option>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {t(`shop_home.kinds.${kind}`)}
        </option>
      ))}
      {others.length > 0 && (
        <optgroup label={t('shop_home.categories')}>
          {others.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}
