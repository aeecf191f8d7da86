import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Check, Field, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Draft } from './draft.ts'
import { partsOf } from './types.ts'

type DetailsProps = {
  type: number
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

const TAX_CLASSES = ['standard', 'reduced', 'e-book', 'zero'] as const satisfies readonly Draft['taxClass'][]
const MEDIA = ['film', 'audio', 'book', 'software', 'goods'] as const

/** The words of a card that is about one kind of thing. */
function titleOf(medium: string): string {
  const known = MEDIA.find((each) => each === medium)
  return known === undefined ? t('products.details') : t(`products.about_the.${known}`)
}

const digits = (typed: string) => typed.replace(/\D/g, '')

/** What a product of its type has beside texts, offers and files, and nothing that its type does not have. */
export function Details({ type, draft, set, errorAt }: DetailsProps) {
  const { medium, hasRuntime, hasStock, isWork, hasTrial } = partsOf(type)
  return (
    <Card title={titleOf(medium)}>
      <div className="card-body stack">
        <div className="fields-in-row">
          {hasRuntime && (
            <TextField
              label={t('products.runtime')}
              value={draft.runtimeMinutes}
              onValue={(typed) => set({ runtimeMinutes: digits(typed) })}
              error={errorAt('runtime')}
              maxLength={5}
            />
          )}
          {!hasStock && (
            <TextField
              label={t('products.year')}
              value={draft.year}
              onValue={(typed) => set({ year: digits(typed) })}
              error={errorAt('tagging.year')}
              maxLength={4}
            />
          )}
          {medium === 'book' && (
            <TextField
              label={t('products.isbn')}
              value={draft.isbn}
              onValue={(isbn) => set({ isbn })}
              error={errorAt('tagging.isbn')}
              maxLength={32}
            />
          )}
          {isWork && (
            <TextField
              label={t('products.age')}
              hint={t('products.age_hint')}
              value={draft.age}
              onValue={(typed) => set({ age: digits(typed) })}
              error={errorAt('tagging.age')}
              maxLength={2}
            />
          )}
          {hasStock && <Goods draft={draft} set={set} errorAt={errorAt} />}
          <TaxClass draft={draft} set={set} error={errorAt('tax_class')} />
        </div>
        {hasStock && (
          <Check
            label={t('products.manages_stock')}
            isOn={draft.managesStock}
            onChange={(managesStock) => set({ managesStock })}
          />
        )}
        {hasTrial && (
          <Check label={t('products.has_trial')} isOn={draft.hasTrial} onChange={(isOn) => set({ hasTrial: isOn })} />
        )}
        {isWork && <People medium={medium} draft={draft} set={set} errorAt={errorAt} />}
      </div>
    </Card>
  )
}

type PartProps = Omit<DetailsProps, 'type'>

/** What is in stock and sent. */
function Goods({ draft, set, errorAt }: PartProps) {
  return (
    <>
      <TextField
        label={t('products.stock')}
        value={draft.stock}
        onValue={(typed) => set({ stock: digits(typed) })}
        error={errorAt('items_in_stock')}
        maxLength={9}
      />
      <TextField
        label={t('products.weight')}
        value={draft.weight}
        onValue={(typed) => set({ weight: typed.replace(/[^\d.,]/g, '') })}
        error={errorAt('weight')}
        maxLength={9}
      />
      <TextField
        label={t('products.gtin')}
        value={draft.gtin}
        onValue={(gtin) => set({ gtin })}
        error={errorAt('gtin')}
        maxLength={14}
      />
    </>
  )
}

/** What kind of work it is, and who made it. */
function People({ medium, draft, set, errorAt }: PartProps & { medium: string }) {
  const lists = [
    { name: 'genres', field: 'tagging_genre', isShown: true },
    { name: 'directors', field: 'tagging_director', isShown: medium === 'film' },
    { name: 'authors', field: 'tagging_script', isShown: medium !== 'audio' },
    { name: 'people', field: 'tagging_people', isShown: medium !== 'book' },
    { name: 'studios', field: 'tagging_studios', isShown: true },
  ] as const
  return (
    <div className="side-by-side">
      {lists
        .filter(({ isShown }) => isShown)
        .map(({ name, field }) => (
          <TextField
            key={name}
            label={t(name === 'authors' && medium === 'film' ? 'products.screenplay' : `products.${name}`)}
            hint={t(name === 'people' ? 'products.people_hint' : 'products.genres_hint')}
            value={draft[name]}
            onValue={(typed) => set({ [name]: typed })}
            error={errorAt(field)}
            maxLength={1000}
          />
        ))}
    </div>
  )
}

type TaxClassProps = { draft: Draft; set: (part: Partial<Draft>) => void; error: string | undefined }

function TaxClass({ draft, set, error }: TaxClassProps) {
  return (
    <Field label={t('products.tax_class')} error={error}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          value={draft.taxClass}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            const taxClass = TAX_CLASSES.find((each) => each === target.value)
            if (taxClass !== undefined) set({ taxClass })
          }}
        >
          {TAX_CLASSES.map((each) => (
            <option key={each} value={each}>
              {t(`products.tax_classes.${each}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
