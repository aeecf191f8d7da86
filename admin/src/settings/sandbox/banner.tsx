import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../session/session.ts'
import { longTime } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { clockQuery } from './queries.ts'

/** Above every screen of a sandbox: nothing here is real, and what time it is. */
export default function SandboxBanner() {
  const mayMove = useMay('create_users')
  const clock = useQuery({ ...clockQuery, enabled: mayMove }).data
  return (
    <div className="notice wait interruption" role="status">
      <p className="grow">
        <span className="strong">{t('sandbox.mark')}</span>{' '}
        {clock === undefined ? t('sandbox.mark_text') : t('sandbox.mark_time', { time: longTime(clock.now) })}
      </p>
      {mayMove && <Link to="/settings/company">{t('sandbox.to_clock')}</Link>}
    </div>
  )
}
