import { useQuery } from '@tanstack/react-query'
import { SettingsPage, WaitingCard } from '../settings/parts.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { type Settings, type SettingsChange, subscriptionSettingsQuery, useSaveSettings } from './settings-queries.ts'

const NUMBERS = ['bill_days', 'trial_reminder_days', 'renewal_reminder_days', 'price_notice_days'] as const

type Draft = Record<(typeof NUMBERS)[number] | 'retry_days', string>

function draftOf({ settings }: { settings: Settings }): Draft {
  const { retry_days, bill_days, trial_reminder_days, renewal_reminder_days, price_notice_days } = settings
  return {
    retry_days: retry_days.join(', '),
    bill_days: String(bill_days),
    trial_reminder_days: String(trial_reminder_days),
    renewal_reminder_days: String(renewal_reminder_days),
    price_notice_days: String(price_notice_days),
  }
}

const numbersIn = (typed: string) =>
  typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number)

function changesIn(before: Draft, after: Draft): SettingsChange {
  const changed = NUMBERS.filter((name) => before[name] !== after[name])
  return {
    ...Object.fromEntries(changed.map((name) => [name, Number(after[name])])),
    ...(before.retry_days === after.retry_days ? {} : { retry_days: numbersIn(after.retry_days) }),
  }
}

/** When subscriptions are charged, billed and reminded of. */
export function SubscriptionSettingsScreen() {
  const read = useQuery(subscriptionSettingsQuery)
  return (
    <SettingsPage
      part="subscriptions"
      about={t('subscriptions.settings.about')}
      failed={read.isError ? read : undefined}
    >
      {read.data === undefined ? (
        <WaitingCard label={t('settings.parts.subscriptions')} />
      ) : (
        <Editor read={read.data} />
      )}
    </SettingsPage>
  )
}

function Editor({ read }: { read: { settings: Settings; etag: string } }) {
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save: useSaveSettings(),
    saidOf: () => t('subscriptions.settings.saved'),
  })
  // A fault of one of the days has its place in its path.
  const retryError = ['', '[0]', '[1]', '[2]', '[3]', '[4]', '[5]', '[6]', '[7]', '[8]', '[9]']
    .map((place) => errorAt(`retry_days${place}`))
    .find((error) => error !== undefined)
  return (
    <form className="stack" onSubmit={submit}>
      <Card title={t('subscriptions.settings.charges')}>
        <div className="card-body stack">
          <TextField
            label={t('subscriptions.settings.retry_days')}
            hint={t('subscriptions.settings.retry_days_hint')}
            value={draft.retry_days}
            onValue={(typed) => set({ retry_days: typed.replace(/[^\d,; ]/g, '') })}
            error={retryError}
            maxLength={60}
          />
          {NUMBERS.map((name) => (
            <TextField
              key={name}
              label={t(`subscriptions.settings.${name}`)}
              hint={t(`subscriptions.settings.${name}_hint`)}
              value={draft[name]}
              onValue={(typed) => set({ [name]: typed.replace(/\D/g, '') })}
              error={errorAt(name)}
              inputMode="numeric"
              maxLength={5}
            />
          ))}
        </div>
      </Card>
      <SaveBar {...bar} />
    </form>
  )
}
