import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { Deliveries } from './deliveries.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { AppsPage } from './parts.tsx'
import { type Webhook, webhooksQuery } from './queries.ts'
import { stateOf, topicText, whereTo } from './words.ts'

const route = getRouteApi('/apps/webhooks')

/** Who is told of what happens, whether it arrives, and what to do if it does not. */
export function Webhooks() {
  const search = route.useSearch()
  const webhooks = useQuery(webhooksQuery)
  const [isNew, setNew] = useState(false)
  const all = webhooks.data ?? []
  const shown = all.find(({ id }) => id === search.webhook) ?? all.find(isInTrouble) ?? all[0]
  return (
    <AppsPage
      part="webhooks"
      about={t('webhooks.about')}
      actions={
        <Button look="primary" icon="plus" onClick={() => setNew(true)}>
          {t('webhooks.add')}
        </Button>
      }
      failed={webhooks.isError ? webhooks : undefined}
    >
      {webhooks.data === undefined ? (
        <Card label={t('apps.parts.webhooks')}>
          <WaitingRows count={2} />
        </Card>
      ) : shown === undefined ? (
        <Card label={t('apps.parts.webhooks')}>
          <Empty icon="webhook" text={t('webhooks.none')} />
        </Card>
      ) : (
        <>
          <ul className="webhooks">
            {all.map((webhook) => (
              <li key={webhook.id}>
                <Tile webhook={webhook} isShown={webhook.id === shown.id} />
              </li>
            ))}
          </ul>
          <Deliveries key={shown.id} webhook={shown} search={search} />
        </>
      )}
      {isNew && <NewWebhook close={() => setNew(false)} />}
    </AppsPage>
  )
}

const isInTrouble = ({ failures, is_active }: Webhook) => failures > 0 || !is_active

function Tile({ webhook, isShown }: { webhook: Webhook; isShown: boolean }) {
  const { tone, text } = stateOf(webhook)
  return (
    <Link
      className="webhook"
      to="/apps/webhooks"
      search={{ webhook: webhook.id }}
      resetScroll={false}
      aria-current={isShown ? 'true' : undefined}
    >
      <span className="webhook-head">
        <span className="strong cut">{whereTo(webhook.address)}</span>
        <Chip tone={tone}>{text}</Chip>
      </span>
      <span className="muted">{topicText(webhook.topic)}</span>
    </Link>
  )
}
