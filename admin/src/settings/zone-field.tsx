import { useMemo } from 'react'
import { SelectField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { offsetOf, offsetText, rememberZone, zoneOf } from './zones.ts'

type ZoneFieldProps = {
  userId: number
  offset: number
  onOffset: (offset: number) => void
  error: string | undefined
}

const wordsOf = (zone: string) => `${zone.replaceAll('_', ' ')} (${offsetText(offsetOf(zone))})`

/** The time zone by its name; the service keeps how far it is from UTC. */
export function ZoneField({ userId, offset, onOffset, error }: ZoneFieldProps) {
  const zones = useMemo(
    () =>
      ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
        value: zone,
        title: wordsOf(zone),
      })),
    [],
  )
  const found = zoneOf(userId, offset)
  // Browsers may list a zone under an older name than the one that they are in.
  const own = zones.find(({ value }) => value === found)?.value
  const isOwn = own !== undefined && offsetOf(own) === offset
  // Of several zones with this offset nobody knows which one was meant.
  const unnamed = { value: '', title: offsetText(offset) }
  return (
    <SelectField
      label={t('settings.profile.zone')}
      hint={t('settings.profile.zone_hint')}
      name="time_zone"
      value={isOwn ? own : offset === 0 ? 'UTC' : ''}
      onValue={(zone) => {
        if (zone === '') return
        rememberZone(userId, zone)
        onOffset(offsetOf(zone))
      }}
      error={error}
      options={isOwn || offset === 0 ? zones : [unnamed, ...zones]}
    />
  )
}
