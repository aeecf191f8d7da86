import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { PartProps } from './languages.tsx'
import type { ShopSettings } from './queries.ts'

/** Under which addresses the shop is found, and how to prove that a domain is the owner's. */
export function Domain({ draft, set, errorAt, shop }: PartProps & { shop: ShopSettings }) {
  return (
    <>
      <Card title={t('shop.domains')}>
        <div className="card-body stack">
          <TextField
            label={t('shop.vanity_domain')}
            hint={t('shop.vanity_domain_hint')}
            value={draft.vanity_domain}
            onValue={(vanity_domain) => set({ vanity_domain })}
            error={errorAt('vanity_domain')}
            maxLength={63}
          />
          <TextField
            label={t('shop.shop_domain')}
            hint={t('shop.shop_domain_hint')}
            value={draft.shop_domain}
            onValue={(shop_domain) => set({ shop_domain })}
            error={errorAt('shop_domain')}
            maxLength={253}
          />
          <TextField
            label={t('shop.access_domain')}
            hint={t('shop.access_domain_hint')}
            value={draft.access_domain}
            onValue={(access_domain) => set({ access_domain })}
            error={errorAt('access_domain')}
            maxLength={253}
          />
        </div>
      </Card>
      {shop.domain_proofs.map((proof) => (
        <Proof key={proof.domain} proof={proof} />
      ))}
    </>
  )
}

function Proof({ proof: { domain, status, record } }: { proof: ShopSettings['domain_proofs'][number] }) {
  const isProved = status === 'proved'
  return (
    <Card
      title={domain}
      end={<Chip tone={isProved ? 'ok' : 'wait'}>{t(isProved ? 'shop.proved' : 'shop.waiting_for_dns')}</Chip>}
    >
      <div className="card-body stack">
        <p>{t(isProved ? 'shop.proved_text' : 'shop.dns_text', { domain })}</p>
        {!isProved && (
          <>
            <dl className="dns">
              {(['type', 'name', 'value'] as const).map((part) => (
                <div key={part}>
                  <dt>{t(`shop.dns.${part}`)}</dt>
                  <dd>
                    <code>{record[part]}</code>
                    {part !== 'type' && <CopyButton text={record[part]} label={t(`shop.copy.${part}`)} />}
                  </dd>
                </div>
              ))}
            </dl>
            <p className="hint">{t('shop.dns_looks')}</p>
          </>
        )}
      </div>
    </Card>
  )
}
