import './settings.css'
import { SettingsPage } from './parts.tsx'
import { Password } from './password.tsx'
import { SecondStep } from './second-step.tsx'
import { Sessions } from './sessions.tsx'

/** How the user signs in, and where they have done so. */
export function Security() {
  return (
    <SettingsPage part="security">
      <div className="stack">
        <Password />
        <SecondStep />
        <Sessions />
      </div>
    </SettingsPage>
  )
}
