import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { shopsQuery } from '../shop/queries.ts'
import { Button } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { errorsOf, Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime, languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ConsentFields, consentOf, isProven, NO_CONSENT } from './consent.tsx'
import { CustomerLink } from './customer-link.tsx'
import { type Recipient, type RecipientChange, recipients } from './queries.ts'
import { Remove, Stop } from './stop.tsx'
import { stateOf } from './words.ts'

const route = getRouteApi('/customers/newsletter/$id')
const TRAIL = () => ({ to: '/customers/newsletter', title: t('audience.parts.newsletter') })

type Read = { person: Recipient; etag: string }

/** A newsletter recipient: how the consent came about, and how it ends. */
export function RecipientDetail() {
  const id = Number(route.useParams().id)
  const read = useQuery(recipients.oneQuery(id))
  const save = recipients.useSave(id)
  const remove = recipients.useDelete(id)
  if (read.data === undefined)
    return (
      <Page title={t('audience.parts.newsletter')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { person } = read.data
  const { tone, text } = stateOf(person.state)
  return (
    <Page
      title={person.email}
      trail={TRAIL()}
      chips={<Chip tone={tone}>{text}</Chip>}
      actions={
        <>
          {person.state !== 'unsubscribed' && (
            <Stop
              part="newsletter"
              email={person.email}
              save={save}
              changes={(): RecipientChange => ({ state: 'unsubscribed' })}
            />
          )}
          <Remove part="newsletter" email={person.email} remove={remove} />
        </>
      }
    >
      <div className="columns">
        <Facts recipient={person} />
        {person.state !== 'confirmed' && <NoteConsent key={id} read={read.data} />}
      </div>
    </Page>
  )
}

function Facts({ recipient }: { recipient: Recipient }) {
  const { confirmed_at, consent_source, theme_setting_id, language, created_at } = recipient
  const shop = useQuery(shopsQuery).data?.find(({ id }) => id === theme_setting_id)
  const source = consent_source ?? (confirmed_at === null ? '' : t('audience.newsletter.by_link'))
  return (
    <Card title={t('audience.facts')}>
      <dl className="facts">
        <div>
          <dt>{t('audience.columns.customer')}</dt>
          <dd>
            <CustomerLink of={recipient} />
          </dd>
        </div>
        <div>
          <dt>{t('audience.columns.agreed')}</dt>
          <dd>{confirmed_at === null ? t('audience.newsletter.not_yet') : dayAndTime(confirmed_at)}</dd>
        </div>
        {source !== '' && (
          <div>
            <dt>{t('audience.newsletter.consent_source')}</dt>
            <dd>{source}</dd>
          </div>
        )}
        {shop !== undefined && (
          <div>
            <dt>{t('audience.columns.shop')}</dt>
            <dd>{shop.name}</dd>
          </div>
        )}
        <div>
          <dt>{t('audience.columns.language')}</dt>
          <dd>{languageName(language)}</dd>
        </div>
        <div>
          <dt>{t('audience.columns.since')}</dt>
          <dd>{dayAndTime(created_at)}</dd>
        </div>
      </dl>
    </Card>
  )
}

/** Notes a consent that was given elsewhere, such as on paper. */
function NoteConsent({ read: { person, etag } }: { read: Read }) {
  const [consent, setConsent] = useState(NO_CONSENT)
  const [isTried, setTried] = useState(false)
  const save = recipients.useSave(person.id)
  const errors = errorsOf(save.error)
  const store = () =>
    save.mutate(
      { changes: consentOf(consent), etag },
      {
        // An older consent than the day on which somebody left does not count.
        onSuccess: ({ state, email }) =>
          toast(
            t(state === 'confirmed' ? 'audience.newsletter.consent_saved' : 'audience.newsletter.consent_old', {
              email,
            }),
          ),
      },
    )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isProven(consent)) store()
      }}
    >
      <Card title={t('audience.newsletter.note_consent')}>
        <div className="card-body stack">
          <p className="muted">{t('audience.newsletter.note_consent_text')}</p>
          <ConsentFields
            consent={consent}
            set={(part) => setConsent((now) => ({ ...now, ...part }))}
            errorAt={(path) => errors[path]?.[0]}
            isTried={isTried}
          />
          {save.isError && Object.keys(errors).length === 0 && (
            <p className="notice bad" role="alert">
              {problemText(save.error)}
            </p>
          )}
          <div className="actions">
            <Button type="submit" disabled={save.isPending}>
              {t('audience.newsletter.save_consent')}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  )
}
