import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Bulk, Ticked } from '../ui/lists/bulk.ts'
import { BulkBar } from '../ui/lists/bulk-bar.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Fulfillment, SHIPPED, slipsOf } from './queries.ts'

type Props = { work: Bulk<Fulfillment>; ticked: Ticked<Fulfillment>; shown: number; isOpen: boolean }

/** Ships a parcel. Returns why it could not be done, if so. */
const shipWork = async ({ id }: Fulfillment): Promise<string | undefined> => {
  try {
    await api.fulfillments.update(id, { status: SHIPPED })
    return undefined
  } catch (error) {
    return problemText(error)
  }
}

/** What can be done with the parcels that are ticked. */
export function ParcelsBulkBar({ work, ticked, shown, isOpen }: Props) {
  const [isAsked, ask] = useState(false)
  const { chosen } = ticked
  const count = chosen.length
  const ship = async () => {
    ask(false)
    toast(t('fulfillments.shipped_many', { count: await work.run(chosen, shipWork) }))
    ticked.none()
  }
  return (
    <>
      <BulkBar
        label={t('fulfillments.label')}
        work={work}
        ticked={ticked}
        said={t('fulfillments.chosen', { count })}
        shown={shown}
      >
        <a className="button" href={slipsOf(chosen)} target="_blank" rel="noreferrer">
          <Icon name="file" />
          {t('fulfillments.slips')}
        </a>
        {isOpen && (
          <Button icon="truck" onClick={() => ask(true)}>
            {t('fulfillments.ship')}
          </Button>
        )}
      </BulkBar>
      {isAsked && (
        <Confirm
          title={t('fulfillments.ship_many', { count })}
          text={t('fulfillments.ship_many_text')}
          action={t('fulfillments.ship')}
          problem={undefined}
          isBusy={false}
          confirm={() => void ship()}
          close={() => ask(false)}
        />
      )}
    </>
  )
}
