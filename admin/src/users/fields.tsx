import { Check } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { PERMISSIONS, PRESETS, permissionsOf, presetOf } from './presets.ts'
import type { Permissions } from './queries.ts'

type PermissionFieldsProps = {
  permissions: Permissions
  set: (permissions: Permissions) => void
  error?: string | undefined
}

/** What somebody may do: a usual job, or one permission at a time. */
export function PermissionFields({ permissions, set, error }: PermissionFieldsProps) {
  const chosen = presetOf(permissions)
  return (
    <>
      <fieldset className="stack">
        <legend className="strong">{t('people.preset')}</legend>
        <div className="presets">
          {PRESETS.map((preset) => (
            <label key={preset} className="preset">
              <input
                type="radio"
                name="preset"
                checked={chosen === preset}
                onChange={() => set(permissionsOf(preset))}
              />
              <span>
                <span className="strong">{t(`people.presets.${preset}`)}</span>
                <br />
                <span className="muted small">{t(`people.presets_about.${preset}`)}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="stack">
        <legend className="strong">{t('people.may')}</legend>
        {PERMISSIONS.map((name) => (
          <Check
            key={name}
            label={t(`people.permissions.${name}`)}
            isOn={permissions[name] === 1}
            onChange={(isOn) => set({ ...permissions, [name]: isOn ? 1 : 0 })}
          />
        ))}
        {error !== undefined && <p className="hint wrong">{error}</p>}
      </fieldset>
    </>
  )
}
