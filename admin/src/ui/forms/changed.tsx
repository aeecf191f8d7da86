import { ChangedError } from '@licet/client'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { problemText } from '../problem.tsx'

type RefusalProps = {
  error: Error
  /** Reads what somebody else has saved. */
  showTheirs: () => void
  /** Saves without a look at what somebody else has saved. */
  saveMine: () => void
}

/** Why a dialog could not be saved. If somebody else was faster, people choose whose version stays. */
export function Refusal({ error, showTheirs, saveMine }: RefusalProps) {
  if (!(error instanceof ChangedError))
    return (
      <p className="notice bad" role="alert">
        {problemText(error)}
      </p>
    )
  return (
    <div className="notice wait stack" role="alert">
      <p>{t('save.conflict')}</p>
      <div className="actions">
        <Button onClick={showTheirs}>{t('save.theirs')}</Button>
        <Button look="primary" onClick={saveMine}>
          {t('save.mine')}
        </Button>
      </div>
    </div>
  )
}
