import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { SelectField } from '../ui/forms/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card } from '../ui/page.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { ProductCard, productDefaults, productIn } from './codes.tsx'
import { ConsentCard, consentIn, defaultsWith } from './consent.tsx'
import { type Import, type ImportInput, useCheck, useDecide } from './queries.ts'
import { KINDS, type Kind } from './search.ts'
import { fieldTitle, SHOP_NAMES, SHOPS } from './words.ts'

const ENCODINGS = ['utf-8', 'windows-1252', 'iso-8859-15', 'macintosh', 'utf-16le', 'utf-16be'] as const

/** The second step: what the file is about, and what its columns mean. */
export function Columns({ file, etag }: { file: Import; etag: string }) {
  const navigate = useNavigate()
  const decide = useDecide(file.id)
  const check = useCheck(file.id)
  const [fields, setFields] = useState(() => new Map(file.columns.map(({ heading, field }) => [heading, field])))
  const [consent, setConsent] = useState(() => consentIn(file))
  const [product, setProduct] = useState(() => productIn(file))
  const changed = file.columns.filter(({ heading, field }) => fields.get(heading) !== field)
  const columns = changed.map(({ heading }) => ({ heading, field: fields.get(heading) ?? null }))
  const used = new Set([...fields.values()].filter((field) => field !== null))
  const errors = errorsOf(check.error)
  const go = () => {
    const input: ImportInput = {
      ...(columns.length === 0 ? {} : { columns }),
      ...defaultsWith(file, consent),
      ...productDefaults(file, product),
    }
    check.mutate(
      { input, etag },
      {
        onSuccess: () =>
          void navigate({ to: '/imports/$id', params: { id: String(file.id) }, search: { step: 'fix' } }),
      },
    )
  }
  const failed = check.error ?? decide.error
  const options = [
    { value: '', title: t('imports.left_out') },
    ...file.fields.map((field) => ({ value: field, title: fieldTitle(field) })),
  ]
  return (
    <div className="stack">
      {file.exported_from !== null && (
        <p className="notice" role="status">
          <Icon name="check" />
          <span className="grow">{t('imports.looks_like', { shop: SHOP_NAMES[file.exported_from] })}</span>
        </p>
      )}
      <Card title={t('imports.about_file')}>
        <div className="card-body import-facts">
          <SelectField<Kind | ''>
            label={t('imports.kind')}
            value={file.kind ?? ''}
            options={[
              ...(file.kind === null ? [{ value: '' as const, title: t('imports.kinds.none') }] : []),
              ...KINDS.map((kind) => ({ value: kind, title: t(`imports.kinds.${kind}`) })),
            ]}
            onValue={(kind) => kind !== '' && decide.mutate({ input: { kind }, etag })}
            error={errors.kind?.[0]}
          />
          <SelectField<NonNullable<Import['exported_from']> | ''>
            label={t('imports.exported_from')}
            value={file.exported_from ?? ''}
            options={[
              { value: '', title: t('imports.other_program') },
              ...SHOPS.map((shop) => ({ value: shop, title: SHOP_NAMES[shop] })),
            ]}
            onValue={(shop) => decide.mutate({ input: { exported_from: shop === '' ? null : shop }, etag })}
          />
          <SelectField<Import['encoding']>
            label={t('imports.encoding')}
            hint={t('imports.encoding_hint')}
            value={file.encoding}
            options={ENCODINGS.map((encoding) => ({ value: encoding, title: encoding.toUpperCase() }))}
            onValue={(encoding) => decide.mutate({ input: { encoding }, etag })}
          />
        </div>
      </Card>
      {file.kind === 'news_recipients' && (
        <ConsentCard consent={consent} set={(part) => setConsent((now) => ({ ...now, ...part }))} />
      )}
      {file.kind === 'redemption_codes' && <ProductCard product={product} choose={setProduct} />}
      {file.kind !== null && (
        <Card title={t('imports.steps.columns')} aside={t('imports.columns_about')}>
          <ul className="import-columns">
            {file.columns.map(({ heading, samples, why }, place) => {
              const field = fields.get(heading) ?? null
              const wrong = columns.findIndex((each) => each.heading === heading)
              const error = wrong < 0 ? undefined : errors[`columns[${wrong}].field`]?.[0]
              return (
                <li key={heading} className={field === null ? 'left-out' : undefined}>
                  <div className="import-column">
                    <span className="strong">{heading}</span>
                    <span className="muted small cut">{samples.join(' · ')}</span>
                    {field === null && why !== null && <span className="muted small">{t(`imports.why.${why}`)}</span>}
                  </div>
                  <div>
                    <select
                      className="input"
                      aria-label={t('imports.field_of', { column: heading })}
                      aria-invalid={error !== undefined}
                      aria-describedby={error === undefined ? undefined : `column-${place}`}
                      value={field ?? ''}
                      onChange={({ target }) =>
                        setFields((now) => new Map(now).set(heading, target.value === '' ? null : target.value))
                      }
                    >
                      {options
                        .filter(({ value }) => value === '' || value === field || !used.has(value))
                        .map(({ value, title }) => (
                          <option key={value} value={value}>
                            {title}
                          </option>
                        ))}
                    </select>
                    {error !== undefined && (
                      <p id={`column-${place}`} className="hint wrong">
                        {error}
                      </p>
                    )}
                  </div>
                </li>
              )
            })}
          </ul>
        </Card>
      )}
      <section className="save-bar" aria-label={t('imports.next')}>
        <span className={failed === null ? 'grow muted' : 'grow wrong'} role={failed === null ? undefined : 'alert'}>
          {failed === null ? t('imports.nothing_yet') : problemText(failed)}
        </span>
        <ButtonLink to="/imports" search={file.kind === null ? {} : { kind: file.kind }}>
          {t('imports.other_file')}
        </ButtonLink>
        <Button look="primary" disabled={check.isPending || file.kind === null} onClick={go}>
          {t('imports.check')}
        </Button>
      </section>
    </div>
  )
}
