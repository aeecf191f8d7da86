import { useId } from 'react'
import { Check, SelectField, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { Countries } from './countries.tsx'
import { ENDS, hasGoods, REGIONS, TYPES } from './draft.ts'
import { type FieldsProps, PeriodInput, Setting, TimesInput, Way } from './fields.tsx'

/** What a license says, in plain words. Fields that make no difference are left out. */
export function TermsFields(props: FieldsProps) {
  const { draft, set, errorAt } = props
  const { isProtected, mayPlay } = draft
  return (
    <Card title={t('licenses.terms')}>
      <Setting title={t('licenses.one')}>
        <TextField
          label={t('licenses.name')}
          hint={t('licenses.name_hint')}
          value={draft.name}
          onValue={(name) => set({ name })}
          error={errorAt('name')}
        />
        <SelectField
          label={t('licenses.type')}
          value={draft.type}
          options={TYPES.map((value) => ({ value, title: t(`licenses.types.${value}`) }))}
          onValue={(type) => set({ type })}
          error={errorAt('type')}
        />
      </Setting>
      <HowLong {...props} />
      <Setting title={t('licenses.playing')}>
        <Check label={t('licenses.is_protected')} isOn={isProtected} onChange={(isOn) => set({ isProtected: isOn })} />
        {isProtected ? (
          <Check label={t('licenses.may_play')} isOn={mayPlay} onChange={(isOn) => set({ mayPlay: isOn })} />
        ) : (
          <p className="hint">{t('licenses.unprotected')}</p>
        )}
      </Setting>
      {isProtected && mayPlay && <Devices {...props} />}
      <Setting title={t('licenses.downloads')}>
        <TimesInput
          label={t('licenses.in_all')}
          times={draft.downloads}
          onTimes={(downloads) => set({ downloads })}
          error={errorAt('total_downloads')}
        />
        {draft.downloads.kind !== 'none' && (
          <TimesInput
            label={t('licenses.a_year')}
            times={draft.downloadsAYear}
            onTimes={(downloadsAYear) => set({ downloadsAYear })}
            error={errorAt('annual_downloads')}
            isNeverNone
          />
        )}
      </Setting>
      <Setting title={t('licenses.where')}>
        <Countries {...props} />
        {(hasGoods(draft) || draft.regions.length > 0 || draft.norm !== null) && <Discs {...props} />}
      </Setting>
    </Card>
  )
}

function HowLong({ draft, set, errorAt }: FieldsProps) {
  const name = useId()
  const { ends, period, startBy } = draft
  const error = errorAt(ends === 'first_use' ? 'expire_after_first_use' : 'expire_after_acquisition')
  return (
    <Setting title={t('licenses.how_long')}>
      {ENDS.map((each) => (
        <Way
          key={each}
          name={name}
          isOn={ends === each}
          choose={() => set({ ends: each })}
          label={t(`licenses.ends.${each}`)}
        >
          {each !== 'never' && (
            <PeriodInput
              label={t('licenses.length')}
              period={period}
              onPeriod={(next) => set({ period: next })}
              error={error}
            />
          )}
        </Way>
      ))}
      {ends === 'first_use' && (
        <div className="in-line">
          <Check
            label={t('licenses.start_by')}
            isOn={draft.hasStartBy}
            onChange={(isOn) => set({ hasStartBy: isOn })}
          />
          {draft.hasStartBy && (
            <>
              <PeriodInput
                label={t('licenses.start_within')}
                period={startBy}
                onPeriod={(next) => set({ startBy: next })}
                error={errorAt('expire_after_acquisition')}
              />
              <span>{t('licenses.of_buying')}</span>
            </>
          )}
        </div>
      )}
      <div className="in-line">
        <Check label={t('licenses.last_day')} isOn={draft.hasLastDay} onChange={(isOn) => set({ hasLastDay: isOn })} />
        {draft.hasLastDay && (
          <input
            className="input moment"
            type="datetime-local"
            aria-label={t('licenses.last_day_at')}
            max="9999-12-31T23:59"
            value={draft.lastDay}
            onChange={({ target }) => set({ lastDay: target.value })}
          />
        )}
      </div>
      {draft.hasLastDay && errorAt('expiration_date') !== undefined && (
        <p className="hint wrong">{errorAt('expiration_date')}</p>
      )}
    </Setting>
  )
}

function Devices({ draft, set, errorAt }: FieldsProps) {
  return (
    <Setting title={t('licenses.devices')}>
      <TimesInput
        label={t('licenses.at_once')}
        times={draft.devices}
        onTimes={(devices) => set({ devices })}
        error={errorAt('total_concurrent_devices')}
        isNeverNone
      />
      <TimesInput
        label={t('licenses.different_a_year')}
        times={draft.devicesAYear}
        onTimes={(devicesAYear) => set({ devicesAYear })}
        error={errorAt('annual_concurrent_devices')}
        isNeverNone
      />
    </Setting>
  )
}

/** Where discs can be played. */
function Discs({ draft, set, errorAt }: FieldsProps) {
  const { regions, norm } = draft
  const wrong = errorAt('restriction_dvd_region')
  return (
    <>
      <fieldset className="in-line">
        <legend className="in-line-label">{t('licenses.regions')}</legend>
        {REGIONS.map((region) => (
          <Check
            key={region}
            label={String(region)}
            isOn={regions.includes(region)}
            onChange={(isOn) =>
              set({ regions: REGIONS.filter((each) => (each === region ? isOn : regions.includes(each))) })
            }
          />
        ))}
      </fieldset>
      {wrong !== undefined && <p className="hint wrong">{wrong}</p>}
      <SelectField
        label={t('licenses.norm')}
        value={norm === null ? 'any' : norm === 0 ? 'ntsc' : 'pal'}
        options={(['any', 'pal', 'ntsc'] as const).map((value) => ({ value, title: t(`licenses.norms.${value}`) }))}
        onValue={(value) => set({ norm: value === 'any' ? null : value === 'ntsc' ? 0 : 1 })}
      />
    </>
  )
}
