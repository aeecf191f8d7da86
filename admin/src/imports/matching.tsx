import { useState } from 'react'
import { ProductPicker } from '../products/picker.tsx'
import { Button } from '../ui/button.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Import, type Report, useCheck } from './queries.ts'

type Chosen = { product_id: string | null; title: string }

/** What the other shop called otherwise: each name is matched once with a product of this shop, or left out. */
export function Matching({ file, etag, report }: { file: Import; etag: string; report: Report }) {
  const check = useCheck(file.id)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map())
  const { unmatched } = report
  if (unmatched.length === 0) return null
  const choose = (name: string, match: Chosen | undefined) => {
    const next = new Map(chosen)
    if (match === undefined) next.delete(name)
    else next.set(name, match)
    setChosen(next)
  }
  const save = () => {
    const matches = new Map(file.matches.map((match) => [match.name, match]))
    for (const [name, { product_id }] of chosen) matches.set(name, { name, product_id })
    check.mutate({ input: { matches: [...matches.values()] }, etag })
  }
  return (
    <Card
      title={t('imports.matching.title')}
      aside={t('imports.fixed_of', { done: count(chosen.size), total: count(unmatched.length) })}
    >
      <p className="card-body muted">{t('imports.matching.about')}</p>
      <ul className="import-matching">
        {unmatched.map(({ name, count: sales }) => {
          const match = chosen.get(name)
          return (
            <li key={name}>
              <div className="import-column">
                <span className="strong">{name}</span>
                <span className="muted small">{t('imports.matching.sales', { count: sales })}</span>
              </div>
              {match === undefined ? (
                <div className="import-match">
                  <ProductPicker
                    label={t('imports.matching.product', { name })}
                    choose={({ product_id, title }) => choose(name, { product_id, title })}
                  />
                  <Button look="plain" onClick={() => choose(name, { product_id: null, title: '' })}>
                    {t('imports.leave_line')}
                    <span className="hidden">{name}</span>
                  </Button>
                </div>
              ) : (
                <div className="with-end">
                  <span className="grow">
                    {match.product_id === null ? <Chip tone="draft">{t('imports.left_out')}</Chip> : match.title}
                  </span>
                  <Button look="plain" onClick={() => choose(name, undefined)}>
                    {t('imports.change')}
                    <span className="hidden"> {name}</span>
                  </Button>
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <div className="list-foot">
        <span
          className={check.error === null ? 'grow muted' : 'grow wrong'}
          role={check.error === null ? undefined : 'alert'}
        >
          {check.error === null ? t('imports.matching.again') : problemText(check.error)}
        </span>
        <Button look="primary" disabled={chosen.size === 0 || check.isPending} onClick={save}>
          {t('imports.matching.save')}
        </Button>
      </div>
    </Card>
  )
}
