import './payments.css'
import { useQuery } from '@tanstack/react-query'
import { SettingsPage, WaitingCard } from '../settings/parts.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { BankTransfer } from './bank-transfer.tsx'
import { FlaggedPayments } from './flagged.tsx'
import { type KeyedGateway, type PaymentSettings, paymentSettingsQuery } from './queries.ts'
import { TestCards } from './test-cards.tsx'
import { WithKey } from './with-key.tsx'

const KEYED: readonly KeyedGateway[] = ['stripe', 'mollie']

/** How customers pay: the ways that are there, switched on and connected here. */
export function Payments() {
  const settings = useQuery({ ...paymentSettingsQuery, refetchOnWindowFocus: false })
  return (
    <SettingsPage part="payments" about={t('payments.about')} failed={settings.isError ? settings : undefined}>
      <div className="columns">
        <div className="stack">
          <FlaggedPayments />
          {settings.data === undefined ? (
            <WaitingCard label={t('settings.parts.payments')} />
          ) : (
            <Ways settings={settings.data} />
          )}
        </div>
        <Card title={t('payments.payouts')}>
          <p className="card-body">{t('payments.payouts_text')}</p>
        </Card>
      </div>
    </SettingsPage>
  )
}

function Ways({ settings }: { settings: PaymentSettings }) {
  const isNothingOn = !Object.values(settings).some(({ enabled }) => enabled)
  return (
    <>
      {isNothingOn && <p className="notice wait">{t('payments.none')}</p>}
      <BankTransfer settings={settings.manual} />
      {KEYED.map((gateway) => (
        <WithKey key={gateway} gateway={gateway} settings={settings[gateway]} />
      ))}
      <TestCards isOn={settings.test.enabled} />
    </>
  )
}
