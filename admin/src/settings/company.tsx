import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../session/session.ts'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Check, SelectField, TextField } from '../ui/forms/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card } from '../ui/page.tsx'
import { countryName, languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { changesIn, draftOf, type TextName } from './company-draft.ts'
import { COUNTRIES } from './countries.gen.ts'
import { DeletionCard } from './deletion/deletion.tsx'
import { InvoiceCard } from './invoice-card.tsx'
import { LANGUAGES } from './languages.ts'
import { SettingsPage, WaitingCard } from './parts.tsx'
import { bothEtags, companyQuery, type CompanyData as Data, invoicesQuery, useSaveCompany } from './queries.ts'
import { ClockCard } from './sandbox/clock.tsx'

const route = getRouteApi('/settings/company')

/** Who sells: what invoices and emails say, and what decides about taxes. */
export function CompanyData() {
  const company = useQuery({ ...companyQuery, refetchOnWindowFocus: false })
  const invoices = useQuery({ ...invoicesQuery, refetchOnWindowFocus: false })
  const { sandbox } = useSession()
  const isThere = company.data !== undefined && invoices.data !== undefined
  const { field } = route.useSearch()
  // The checklist leads to the very field that is missing.
  useEffect(() => {
    if (isThere && field !== undefined)
      document.querySelector<HTMLElement>(`main [name="${CSS.escape(field)}"]`)?.focus()
  }, [isThere, field])
  return (
    <SettingsPage
      part="company"
      about={t('settings.company.about')}
      failed={[company, invoices].find(({ isError }) => isError)}
    >
      {isThere ? (
        <div className="stack">
          {sandbox && <ClockCard />}
          <CompanyForm
            read={{ ...company.data, ...invoices.data, etag: bothEtags(company.data.etag, invoices.data.etag) }}
          />
          <ExportCard />
          <DeletionCard />
        </div>
      ) : (
        <WaitingCard label={t('settings.parts.company')} />
      )}
    </SettingsPage>
  )
}

/** What a browser fills in by itself. */
const AUTOCOMPLETE: Partial<Record<TextName, string>> = {
  company_name: 'organization',
  street: 'street-address',
  zip: 'postal-code',
  city: 'address-level2',
  province: 'address-level1',
  first_name: 'given-name',
  last_name: 'family-name',
  email: 'email',
  phone: 'tel',
}

function CompanyForm({ read }: { read: Data }) {
  const { currency } = useSession()
  const save = useSaveCompany()
  const editing = useEditing({ read, draftOf, changesIn, save, saidOf: () => t('settings.company.saved') })
  const { draft, set, errorAt } = editing
  const text = (name: Exclude<TextName, 'language'>, hint?: string) => (
    <TextField
      label={t(`settings.company.${name}`)}
      {...(hint === undefined ? {} : { hint })}
      name={name}
      autoComplete={AUTOCOMPLETE[name] ?? 'off'}
      value={draft[name]}
      onValue={(typed) => set({ [name]: typed })}
      error={errorAt(name)}
      maxLength={name === 'zip' || name === 'phone' ? 50 : 100}
    />
  )
  const level = (name: 'warnBelow' | 'stopBelow', field: string, label: string) => (
    <TextField
      label={label}
      name={field}
      inputMode="numeric"
      value={draft[name]}
      onValue={(typed) => set({ [name]: typed.replace(/\D/g, '') })}
      error={errorAt(field)}
      maxLength={9}
    />
  )
  const languages = LANGUAGES.includes(draft.language) ? LANGUAGES : [draft.language, ...LANGUAGES]
  return (
    <form className="stack" onSubmit={editing.submit}>
      <Card title={t('settings.company.name')}>
        <div className="card-body settings-fields">
          {text('company_name')}
          {text('company_additional_name')}
        </div>
      </Card>
      <Card title={t('settings.company.address')}>
        <div className="card-body settings-fields">
          <div className="whole">{text('street')}</div>
          {text('zip')}
          {text('city')}
          {text('province')}
          <SelectField
            label={t('settings.company.country')}
            hint={t('settings.company.country_hint')}
            name="country"
            value={draft.country}
            onValue={(country) => set({ country })}
            error={errorAt('country')}
            options={countries()}
          />
        </div>
      </Card>
      <Card title={t('settings.company.contact')}>
        <div className="card-body settings-fields">
          {text('first_name')}
          {text('last_name')}
          {text('email', t('settings.company.email_hint'))}
          {text('phone')}
        </div>
      </Card>
      <Card title={t('settings.company.selling')}>
        <div className="card-body settings-fields">
          <div className="field">
            <span className="label">{t('settings.company.currency')}</span>
            <p>{currency}</p>
            <p className="hint">{t('settings.company.currency_hint')}</p>
          </div>
          <SelectField
            label={t('settings.company.language')}
            name="language"
            value={draft.language}
            onValue={(language) => set({ language })}
            error={errorAt('language')}
            options={languages.map((code) => ({ value: code, title: languageName(code) }))}
          />
          <SelectField
            label={t('settings.company.tax_options')}
            name="tax_options"
            value={draft.isForBusinesses ? 'businesses' : 'consumers'}
            onValue={(to) => set({ isForBusinesses: to === 'businesses' })}
            error={errorAt('tax_options')}
            options={(['consumers', 'businesses'] as const).map((to) => ({
              value: to,
              title: t(`settings.company.${to}`),
            }))}
          />
          <div className="whole">
            <Check
              label={t('settings.company.stock')}
              isOn={draft.countsStock}
              onChange={(countsStock) => set({ countsStock })}
            />
          </div>
          {draft.countsStock && level('warnBelow', 'warn_at_stock_level_below', t('settings.company.warn'))}
          {draft.countsStock && level('stopBelow', 'stop_selling_at_stock_level_below', t('settings.company.stop'))}
        </div>
      </Card>
      <InvoiceCard draft={draft} set={set} errorAt={errorAt} />
      <SaveBar {...editing.bar} />
    </form>
  )
}

/** Everything that the company has, to take away. */
function ExportCard() {
  return (
    <Card title={t('settings.export.title')}>
      <div className="card-body stack">
        <p>{t('settings.export.text')}</p>
        <div className="actions">
          <a className="button" href="/admin/api/company/export.json" download>
            <Icon name="download" />
            {t('settings.export.link')}
          </a>
        </div>
      </div>
    </Card>
  )
}

/** By name, in the reader's language. */
function countries(): { value: string; title: string }[] {
  return COUNTRIES.map((code) => ({ value: code, title: countryName(code) })).sort((one, other) =>
    one.title.localeCompare(other.title),
  )
}
