import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { useChangePayments } from './queries.ts'
import { Way } from './way.tsx'

/** Cards that move no money, to try the shop before it opens. */
export function TestCards({ isOn }: { isOn: boolean }) {
  const change = useChangePayments()
  return (
    <Way
      icon="card"
      title={t('payments.cards.title')}
      text={t('payments.cards.text')}
      isOn={isOn}
      isTest
      isBusy={change.isPending}
      onSwitch={(enabled) =>
        change.mutate(
          { test: { enabled } },
          { onSuccess: () => toast(t(enabled ? 'payments.cards.is_on' : 'payments.cards.is_off')) },
        )
      }
    >
      {(isOn || change.isError) && (
        <div className="card-body">
          {isOn && <p className="notice wait">{t('payments.cards.warning')}</p>}
          {change.isError && (
            <p className="notice bad" role="alert">
              {problemText(change.error)}
            </p>
          )}
        </div>
      )}
    </Way>
  )
}
