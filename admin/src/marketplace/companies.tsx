import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import { companiesQuery } from './queries.ts'

type CompaniesFieldProps = {
  /** Null: every company. */
  chosen: readonly number[] | null
  choose: (companies: readonly number[] | null) => void
  errorAt: ErrorAt
  isTried: boolean
}

/** For whom an offer is: for every company, or for some that are named. */
export function CompaniesField({ chosen, choose, errorAt, isTried }: CompaniesFieldProps) {
  return (
    <>
      <Segments
        label={t('marketplace.for_whom')}
        values={(['all', 'some'] as const).map((value) => ({ value, title: t(`marketplace.offers_to.${value}`) }))}
        chosen={chosen === null ? 'all' : 'some'}
        choose={(value) => choose(value === 'all' ? null : [])}
      />
      {chosen !== null && <Companies chosen={chosen} choose={choose} errorAt={errorAt} />}
      {chosen?.length === 0 && isTried && (
        <p className="hint wrong" role="alert">
          {t('marketplace.no_company')}
        </p>
      )}
    </>
  )
}

type CompaniesProps = Pick<CompaniesFieldProps, 'errorAt'> & {
  chosen: readonly number[]
  choose: (companies: readonly number[]) => void
}

function Companies({ chosen, choose, errorAt }: CompaniesProps) {
  const known = useQuery(companiesQuery).data ?? []
  const { company } = useSession()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const names = new Map(known.map(({ id, company_name }) => [id, company_name]))
  const nameOf = (id: number) => names.get(id) ?? t('marketplace.company_number', { id: String(id) })
  const add = () => {
    const text = typed.trim()
    const named = known.filter(({ company_name }) => company_name?.toLowerCase() === text.toLowerCase())
    const [only] = named
    const id = named.length === 1 && only !== undefined ? only.id : /^\d{1,15}$/.test(text) ? Number(text) : 0
    setWrong(id === 0 || id === company.id)
    if (id === 0 || id === company.id) return
    choose(chosen.includes(id) ? chosen : [...chosen, id])
    setTyped('')
  }
  return (
    <>
      {chosen.length > 0 && (
        <ul className="rows" aria-label={t('marketplace.for_whom')}>
          {chosen.map((id, place) => {
            const error = errorAt(`company_ids[${place}]`)
            return (
              <li key={id}>
                <span className="grow">
                  <span className="strong">{nameOf(id)}</span>
                  {error !== undefined && <p className="hint wrong">{t('marketplace.company_unknown')}</p>}
                </span>
                <Button
                  look="plain"
                  icon="close"
                  aria-label={t('marketplace.remove_company', { name: nameOf(id) })}
                  onClick={() => choose(chosen.filter((each) => each !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <div className="with-end">
        <div className="grow">
          <TextField
            label={t('marketplace.add_company')}
            hint={t('marketplace.add_company_hint', { id: String(company.id) })}
            value={typed}
            onValue={setTyped}
            error={isWrong ? t('marketplace.company_unknown') : undefined}
            list="market-companies"
            maxLength={100}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <datalist id="market-companies">
            {known
              .filter(({ id, company_name }) => company_name !== null && !chosen.includes(id))
              .map(({ id, company_name }) => (
                <option key={id} value={company_name ?? ''} />
              ))}
          </datalist>
        </div>
        <Button icon="plus" disabled={typed.trim() === ''} onClick={add}>
          {t('marketplace.add_this')}
        </Button>
      </div>
      <p className="muted small">{t('marketplace.taken_off')}</p>
    </>
  )
}
