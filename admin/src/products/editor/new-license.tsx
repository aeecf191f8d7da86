import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { problemText } from '../../ui/problem.tsx'
import { Segments } from '../../ui/segments.tsx'
import { t } from '../../words/words.ts'
import { useCreateLicense } from '../queries.ts'
import { type LicenseInput, termsQuery } from './terms.ts'

type Choices = {
  name: string
  keeps: 'forever' | 'rented'
  hours: string
  days: string
  /** Empty: as many as somebody likes. */
  devices: string
  downloads: string
}

const FIRST: Choices = { name: '', keeps: 'forever', hours: '48', days: '30', devices: '5', downloads: '' }
const UNLIMITED = -1
/** How a license counts time. */
const [HOURS, DAYS] = [0, 1] as const

const countOf = (typed: string) => (typed === '' ? UNLIMITED : Number(typed))

function licenseOf({ name, keeps, hours, days, devices, downloads }: Choices): LicenseInput {
  const isRented = keeps === 'rented'
  return {
    name: name.trim(),
    total_concurrent_devices: countOf(devices),
    total_downloads: countOf(downloads),
    expire_after_first_use: isRented ? Number(hours) : 0,
    expire_after_first_use_mode: HOURS,
    expire_after_acquisition: isRented ? Number(days) : 0,
    expire_after_acquisition_mode: DAYS,
  }
}

type NewLicenseProps = { productType: number; made: (id: number) => void; close: () => void }

/** Makes a license where an offer needs one, from a few plain choices. What it means is said as the shop says it. */
export function NewLicense({ productType, made, close }: NewLicenseProps) {
  const [choices, setChoices] = useState(FIRST)
  const create = useCreateLicense()
  const license = licenseOf(choices)
  const { name: _name, ...described } = license
  const terms = useQuery(termsQuery(described, productType, document.documentElement.lang)).data
  const set = (part: Partial<Choices>) => setChoices((now) => ({ ...now, ...part }))
  const number = (name: 'hours' | 'days' | 'devices' | 'downloads', hint?: string) => (
    <TextField
      label={t(`offers.new.${name}`)}
      {...(hint === undefined ? {} : { hint })}
      value={choices[name]}
      onValue={(typed) => set({ [name]: typed.replace(/\D/g, '') })}
      maxLength={4}
    />
  )
  const store = () =>
    create.mutate(license, {
      onSuccess: ({ id }) => {
        made(id)
        close()
      },
    })
  return (
    <section className="new-license" aria-label={t('offers.new.title')}>
      <div className="new-license-head">
        <span className="strong">{t('offers.new.title')}</span>
        <span className="muted small grow">{t('offers.new.about')}</span>
        <Button look="plain" icon="close" aria-label={t('common.close')} onClick={close} />
      </div>
      <TextField
        label={t('offers.new.name')}
        value={choices.name}
        onValue={(name) => set({ name })}
        error={create.isError ? problemText(create.error) : undefined}
      />
      <Segments
        label={t('offers.new.how_long')}
        values={(['forever', 'rented'] as const).map((value) => ({ value, title: t(`offers.new.${value}`) }))}
        chosen={choices.keeps}
        choose={(keeps) => set({ keeps })}
      />
      <div className="fields-in-row">
        {choices.keeps === 'rented' && (
          <>
            {number('hours')}
            {number('days')}
          </>
        )}
        {number('devices', t('offers.new.unlimited'))}
        {number('downloads', t('offers.new.unlimited'))}
      </div>
      {terms !== undefined && <blockquote className="said">{terms.text}</blockquote>}
      <div className="actions">
        <Button disabled={create.isPending || license.name === ''} onClick={store}>
          {t('offers.new.create')}
        </Button>
      </div>
    </section>
  )
}
