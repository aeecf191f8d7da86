import { useMay, useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { problemText } from '../../ui/problem.tsx'
import { toast } from '../../ui/toasts.tsx'
import { dayAndTime } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { useCancelDeletion } from './queries.ts'

/** Above every screen of a company that will be deleted: when, and the one press that keeps it. */
export default function DeletionBanner() {
  const { company, deletion_due_at } = useSession()
  const cancel = useCancelDeletion()
  const mayCancel = useMay('create_users')
  if (deletion_due_at === null) return null
  return (
    <div className="notice bad interruption" role="status">
      <p className="grow">
        {t('settings.deletion.banner', { company: company.company_name, time: dayAndTime(deletion_due_at) })}
      </p>
      {cancel.error !== null && <p role="alert">{problemText(cancel.error)}</p>}
      {mayCancel && (
        <Button
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(undefined, { onSuccess: () => toast(t('settings.deletion.cancelled')) })}
        >
          {t('settings.deletion.cancel')}
        </Button>
      )}
    </div>
  )
}
