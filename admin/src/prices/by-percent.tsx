import { LicetError } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { countryName, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type PriceChange, previewQuery, ROUNDINGS, type Rounding, useChangePrices } from './queries.ts'

/** A percentage as somebody types it: `5`, `-12,5`. Undefined if it is none. */
function percentIn(typed: string): number | undefined {
  const text = typed
    .replace(/[\s%+]/g, '')
    .replace(',', '.')
    .replace('−', '-')
  return /^-?\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : undefined
}

type ByPercentProps = { ids: readonly number[]; close: () => void; done: () => void }

/** Changes prices by percent. Every amount is shown as it is and as it becomes, before anything changes. */
export function ByPercent({ ids, close, done }: ByPercentProps) {
  const [typed, setTyped] = useState('')
  const [rounding, setRounding] = useState<Rounding>('none')
  const percent = percentIn(typed)
  const asked = percent === undefined ? undefined : { percent, rounding, prices: ids.map((id) => ({ id })) }
  const preview = useQuery({ ...previewQuery(asked), gcTime: 0, staleTime: 0 })
  const change = useChangePrices()
  const shown = asked === undefined || preview.isError ? undefined : preview.data
  const wrong = preview.error instanceof LicetError ? preview.error.errors.percent?.[0] : undefined
  const store = () => {
    if (percent === undefined || shown === undefined || preview.isPlaceholderData) return
    // What is on the screen is what changes: if somebody else was faster, nothing does.
    const prices = shown.map(({ id, etag }) => ({ id, etag }))
    change.mutate(
      { percent, rounding, prices },
      {
        onSuccess: (changed) => {
          toast(t('prices.changed', { count: changed.length }))
          done()
        },
        onError: () => void preview.refetch(),
      },
    )
  }
  return (
    <Dialog title={t('prices.by_percent_title', { count: ids.length })} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <p className="muted">{t('prices.by_percent_about')}</p>
        <div className="pair">
          <TextField
            label={t('prices.percent')}
            hint={t('prices.percent_hint')}
            value={typed}
            onValue={setTyped}
            maxLength={9}
            error={
              wrong ?? (typed !== '' && typed !== '-' && percent === undefined ? t('prices.percent_wrong') : undefined)
            }
          />
          <SelectField
            label={t('prices.rounding')}
            value={rounding}
            options={ROUNDINGS.map((value) => ({ value, title: t(`prices.roundings.${value}`) }))}
            onValue={setRounding}
          />
        </div>
        {shown !== undefined && <Changes changes={shown} />}
        {preview.isError && wrong === undefined && <p className="notice bad">{problemText(preview.error)}</p>}
        {change.isError && (
          <p className="notice bad" role="alert">
            {isOutdated(change.error) ? t('prices.outdated') : problemText(change.error)}
          </p>
        )}
        <div className="actions">
          <Button
            type="submit"
            look="primary"
            disabled={shown === undefined || preview.isPlaceholderData || change.isPending}
          >
            {t('prices.change', { count: shown?.length ?? ids.length })}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Has somebody else changed one of the prices since they were shown? */
const isOutdated = (error: unknown) =>
  error instanceof LicetError && Object.keys(error.errors).some((path) => path.endsWith('.etag'))

function Changes({ changes }: { changes: readonly PriceChange[] }) {
  const rows = changes.flatMap(({ id, title, currencies, countries }) => [
    ...currencies.map(({ currency, ...amounts }) => ({ key: `${id} ${currency}`, title, currency, ...amounts })),
    ...countries.map(({ country_code, currency, ...amounts }) => ({
      key: `${id} ${country_code}`,
      title: t('prices.in_country', { title, country: countryName(country_code) }),
      currency,
      ...amounts,
    })),
  ])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="price-changes" aria-label={t('prices.preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('prices.columns.title')}</th>
            <th scope="col" className="number">
              {t('prices.before')}
            </th>
            <th scope="col" className="number">
              {t('prices.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, title, currency, before, after }) => (
            <tr key={key}>
              <td>{title}</td>
              <td className="number figure muted">{money(before, currency.toUpperCase())}</td>
              <td className="number figure strong">{money(after, currency.toUpperCase())}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
