import './shipping.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePriceModels } from '../products/price-models.ts'
import { useSession } from '../session/session.ts'
import { SettingsPage } from '../settings/parts.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Sortable } from '../ui/forms/sortable.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { methodsQuery, type ShippingMethod, useSortMethods } from './queries.ts'
import { costInWords, daysInWords, placesInWords } from './words.ts'

/** How goods are shipped, in the order in which the methods are tried. */
export function Shipping() {
  const methods = useQuery(methodsQuery)
  const sort = useSortMethods()
  const shown = sort.isPending ? sort.variables : methods.data
  return (
    <SettingsPage
      part="shipping"
      about={t('shipping.about')}
      actions={
        <ButtonLink look="primary" icon="plus" to="/settings/shipping/new">
          {t('shipping.new')}
        </ButtonLink>
      }
      failed={methods.isError ? methods : undefined}
    >
      {sort.isError && (
        <p className="notice bad" role="alert">
          {problemText(sort.error)}
        </p>
      )}
      <Card label={t('shipping.list')}>
        {shown === undefined ? (
          <WaitingRows count={2} />
        ) : shown.length === 0 ? (
          <Empty icon="truck" text={t('shipping.none')} />
        ) : (
          <Sortable
            label={t('shipping.order')}
            items={shown}
            onItems={(sorted) => sort.mutate(sorted, { onSuccess: () => toast(t('shipping.moved')) })}
            nameOf={({ title }) => title}
          >
            {(method) => <Row method={method} />}
          </Sortable>
        )}
      </Card>
    </SettingsPage>
  )
}

function Row({ method }: { method: ShippingMethod }) {
  const { currency } = useSession()
  const { centsOf, isKnown } = usePriceModels()
  const days = daysInWords(method)
  return (
    <span className="method grow">
      <span className="grow">
        <Link className="strong" to="/settings/shipping/$id" params={{ id: String(method.id) }}>
          {method.title}
        </Link>
        <br />
        <span className="muted small">{placesInWords(method)}</span>
      </span>
      <span className="method-cost">
        {isKnown ? costInWords(method, centsOf, currency) : ''}
        {days !== '' && (
          <>
            <br />
            <span className="muted small">{days}</span>
          </>
        )}
      </span>
    </span>
  )
}
