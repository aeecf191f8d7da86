import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import type { Bulk, Ticked } from '../ui/lists/bulk.ts'
import { BulkBar } from '../ui/lists/bulk-bar.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import type { Code } from './queries.ts'

type Props = { work: Bulk<Code>; ticked: Ticked<Code>; shown: number; print: (codes: readonly Code[]) => void }

/** Stops a code. Returns why it could not be done, if so. */
const stopWork = async ({ id }: Code): Promise<string | undefined> => {
  try {
    await api.redemptionCodes.delete(id)
    return undefined
  } catch (error) {
    return problemText(error)
  }
}

/** What can be done with the codes that are ticked. */
export function CodesBulkBar({ work, ticked, shown, print }: Props) {
  const [isAsked, ask] = useState(false)
  const { chosen } = ticked
  const count = chosen.length
  const stop = async () => {
    ask(false)
    toast(t('codes.stopped_many', { count: await work.run(chosen, stopWork) }))
    ticked.none()
  }
  return (
    <>
      <BulkBar label={t('codes.label')} work={work} ticked={ticked} said={t('codes.chosen', { count })} shown={shown}>
        <Button icon="file" onClick={() => print(chosen)}>
          {t('codes.print')}
        </Button>
        {chosen.some(({ state }) => state !== 'revoked') && (
          <Button look="danger" onClick={() => ask(true)}>
            {t('codes.stop')}
          </Button>
        )}
      </BulkBar>
      {isAsked && (
        <Confirm
          title={t('codes.stop_many', { count })}
          text={t('codes.stop_text')}
          action={t('codes.stop')}
          isDanger
          problem={undefined}
          isBusy={false}
          confirm={() => void stop()}
          close={() => ask(false)}
        />
      )}
    </>
  )
}
