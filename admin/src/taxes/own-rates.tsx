import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { countryName, percent } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ownRateQuery, ownRatesQuery, type TaxRate, useDeleteRate } from './queries.ts'
import { RateDialog } from './rate-dialog.tsx'

/** The rates that replace built-in ones. */
export function OwnRates() {
  const rates = useQuery(ownRatesQuery)
  const [changed, change] = useState<TaxRate>()
  const [deleted, ask] = useState<TaxRate>()
  return (
    <Card title={t('taxes.own_list')}>
      {rates.isError ? (
        <Problem error={rates.error} retry={() => void rates.refetch()} />
      ) : rates.data === undefined ? (
        <WaitingRows count={1} />
      ) : rates.data.length === 0 ? (
        <p className="card-body muted">{t('taxes.no_own')}</p>
      ) : (
        <ul className="rows">
          {rates.data.map((rate) => {
            const country = countryName(rate.country_code)
            return (
              <li key={rate.id} className="wraps">
                <span className="grow">
                  <span className="strong">{country}</span>{' '}
                  <span className="muted small">
                    {t(`taxes.classes.${rate.tax_class}`)}, {rate.name}
                  </span>
                </span>
                <span className="figure">{percent(rate.percent / 100, { maximumFractionDigits: 3 })}</span>
                <Button aria-label={t('taxes.change', { country })} onClick={() => change(rate)}>
                  {t('taxes.change_button')}
                </Button>
                <Button look="danger" aria-label={t('taxes.delete_label', { country })} onClick={() => ask(rate)}>
                  {t('taxes.delete')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {changed !== undefined && <ChangeRate id={changed.id} close={() => change(undefined)} />}
      {deleted !== undefined && <Delete rate={deleted} close={() => ask(undefined)} />}
    </Card>
  )
}

/** Changes a rate as it is now, which may not be as the list has it. */
function ChangeRate({ id, close }: { id: number; close: () => void }) {
  const read = useQuery(ownRateQuery(id))
  const [version, setVersion] = useState(0)
  const renew = () => void read.refetch().then(() => setVersion((now) => now + 1))
  if (read.data === undefined)
    return read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : null
  return <RateDialog key={version} read={read.data} renew={renew} close={close} />
}

function Delete({ rate, close }: { rate: TaxRate; close: () => void }) {
  const remove = useDeleteRate()
  const country = countryName(rate.country_code)
  return (
    <Confirm
      title={t('taxes.delete_title', { country })}
      text={t('taxes.delete_text')}
      action={t('taxes.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(rate.id, {
          onSuccess: () => {
            toast(t('taxes.deleted', { country }))
            close()
          },
        })
      }
      close={close}
    />
  )
}
