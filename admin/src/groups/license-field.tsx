import { useQuery } from '@tanstack/react-query'
import { licenseName } from '../licenses/names.ts'
import { licensesQuery } from '../products/queries.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'

type LicenseFieldProps = {
  chosen: number | null
  choose: (id: number | null) => void
  error: string | undefined
}

/** The license that members are bound to. The one that a group has stays on the list, also when it is not valid any more. */
export function LicenseField({ chosen, choose, error }: LicenseFieldProps) {
  const licenses = useQuery(licensesQuery).data ?? []
  const usable = licenses.filter(({ id, valid }) => valid === 1 || id === chosen)
  return (
    <SelectField
      label={t('groups.license')}
      hint={t('groups.license_hint')}
      value={String(chosen ?? '')}
      options={[
        { value: '', title: t('groups.no_limits') },
        ...usable.map((license) => ({ value: String(license.id), title: licenseName(license) })),
      ]}
      onValue={(value) => choose(value === '' ? null : Number(value))}
      error={error}
    />
  )
}
