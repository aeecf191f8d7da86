import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Check, Field, SelectField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { namedCountries } from './countries.tsx'
import { type LicenseInput, trialQuery } from './queries.ts'
import {
  ACTIONS,
  BEFORE_MAX,
  COUNTED,
  firstSituation,
  localHour,
  OTHERS_MAX,
  questionOf,
  type Situation,
} from './situation.ts'
import { Timeline } from './timeline.tsx'
import { Verdict } from './verdict.tsx'

const WAIT_MS = 150
/** What is tried as: how copies are made depends on what it is. */
const KINDS = { film: 1, album: 24, book: 16 } as const
type Kind = keyof typeof KINDS

/** The value that somebody has stopped changing. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Asks the engine what would come of a situation, with the license as it is being written. */
export function TryOut({ license }: { license: LicenseInput | undefined }) {
  const [situation, setSituation] = useState(() => firstSituation(new Date()))
  const [kind, setKind] = useState<Kind>('film')
  const set = (part: Partial<Situation>) => setSituation((now) => ({ ...now, ...part }))
  const asked = useSettled(JSON.stringify(questionOf(license, situation, KINDS[kind])))
  const trial = useQuery(trialQuery(asked === undefined ? undefined : JSON.parse(asked)))
  const { bought, at } = situation
  return (
    <Card title={t('try.title')} aside={t('try.about')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever tries something out does not want to save the license around it */}
      <div
        className="card-body stack"
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      >
        <SituationFields situation={situation} set={set} kind={kind} setKind={setKind} license={license} />
        {trial.isError && <Problem error={trial.error} retry={() => void trial.refetch()} />}
        {trial.data !== undefined && bought !== '' && at !== '' && (
          <>
            <Timeline
              trial={trial.data}
              bought={new Date(bought)}
              at={new Date(at)}
              move={(moment) => set({ at: localMinute(moment) })}
            />
            <Verdict trial={trial.data} situation={situation} />
          </>
        )}
        {license === undefined && <p className="muted">{t('try.incomplete')}</p>}
      </div>
    </Card>
  )
}

/** As a field for a day and a time has it. */
function localMinute(time: Date): string {
  return `${localHour(time).slice(0, 14)}${String(time.getMinutes()).padStart(2, '0')}`
}

type SituationProps = {
  situation: Situation
  set: (part: Partial<Situation>) => void
  kind: Kind
  setKind: (kind: Kind) => void
  license: LicenseInput | undefined
}

function SituationFields({ situation, set, kind, setKind, license }: SituationProps) {
  const { action, first, bought } = situation
  const moment = (label: string, name: 'bought' | 'first' | 'at') => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="datetime-local"
          max="9999-12-31T23:59"
          {...(name === 'bought' ? {} : { min: bought })}
          value={situation[name]}
          onChange={({ target }) => set({ [name]: target.value })}
        />
      )}
    </Field>
  )
  const number = (label: string, name: 'others' | 'before', max: number) => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="number"
          min={0}
          max={max}
          value={situation[name]}
          onChange={({ target }) => set({ [name]: Math.min(max, Math.max(0, Math.floor(Number(target.value)))) })}
        />
      )}
    </Field>
  )
  const mindsClock = license?.delete_on_clock_rollback === 1 || license?.disable_on_clock_rollback === 1
  return (
    <>
      <div className="pair">
        {moment(t('try.bought'), 'bought')}
        {moment(t('try.first'), 'first')}
        {moment(t('try.at'), 'at')}
      </div>
      <div className="pair tight">
        <SelectField
          label={t('try.action')}
          value={action}
          options={ACTIONS.map((value) => ({ value, title: t(`try.actions.${value}`) }))}
          onValue={(value) => set({ action: value })}
        />
        <SelectField
          label={t('try.kind')}
          value={kind}
          options={(Object.keys(KINDS) as Kind[]).map((value) => ({ value, title: t(`try.kinds.${value}`) }))}
          onValue={setKind}
        />
        <SelectField
          label={t('try.country')}
          value={situation.country}
          options={[
            { value: '', title: t('try.any_country') },
            ...namedCountries().map(({ code, name }) => ({ value: code, title: name })),
          ]}
          onValue={(country) => set({ country })}
        />
        {number(t('try.others'), 'others', OTHERS_MAX)}
        {COUNTED.has(action) && number(t(`try.before.${action as 'download'}`), 'before', BEFORE_MAX)}
        {action === 'print' && (
          <Field label={t('try.pages')}>
            {(id) => (
              <input
                id={id}
                className="input"
                type="number"
                min={1}
                max={1000}
                value={situation.pages}
                onChange={({ target }) => set({ pages: target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <Check
        label={t('try.new_device')}
        isOn={situation.isNewDevice}
        isDisabled={first === '' && situation.before === 0}
        onChange={(isNewDevice) => set({ isNewDevice })}
      />
      {mindsClock && (
        <Check
          label={t('try.clock_back')}
          isOn={situation.isClockBack}
          onChange={(isClockBack) => set({ isClockBack })}
        />
      )}
    </>
  )
}
