import './settings.css'
import { useSession } from '../session/session.ts'
import { t } from '../words/words.ts'
import { SettingsPage } from './parts.tsx'
import { Password } from './password.tsx'
import { SecondStep } from './second-step.tsx'
import { Sessions } from './sessions.tsx'

/** How the user signs in, and where they have done so. */
export function Security() {
  const { second_factor_missing } = useSession()
  return (
    <SettingsPage part="security">
      <div className="stack">
        {second_factor_missing && (
          <p className="notice warn" role="status">
            {t('settings.second.asked_for')}
          </p>
        )}
        {second_factor_missing && <SecondStep />}
        <Password />
        {!second_factor_missing && <SecondStep />}
        <Sessions />
      </div>
    </SettingsPage>
  )
}
