import './users.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { SettingsPage } from '../settings/parts.tsx'
import { Button } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { Invite } from './invite.tsx'
import { type User, usersQuery } from './queries.ts'
import { Requirement } from './requirement.tsx'
import { nameOf, stateOf, summaryOf } from './words.ts'

/** Who works in the company, and what they may do. */
export function People() {
  const users = useQuery(usersQuery)
  const [isInviting, invite] = useState(false)
  const invited = users.data?.filter(({ valid }) => !valid).length ?? 0
  return (
    <SettingsPage part="people" about={t('people.about')} failed={users.isError ? users : undefined}>
      <Card
        title={t('people.team')}
        {...(users.data === undefined
          ? {}
          : { aside: t('people.in_all', { count: users.data.length - invited, invited }) })}
        end={
          <Button look="primary" icon="plus" onClick={() => invite(true)}>
            {t('people.invite')}
          </Button>
        }
      >
        {users.data === undefined ? (
          <WaitingRows count={3} />
        ) : (
          <ul className="rows">
            {users.data.map((user) => (
              <Person key={user.id} user={user} />
            ))}
          </ul>
        )}
      </Card>
      <Requirement />
      {isInviting && <Invite close={() => invite(false)} />}
    </SettingsPage>
  )
}

function Person({ user }: { user: User }) {
  const { user: own } = useSession()
  const { tone, text } = stateOf(user)
  return (
    <li>
      <span className="grow">
        <Link className="strong" to="/settings/people/$token" params={{ token: user.token }}>
          {nameOf(user)}
        </Link>{' '}
        {user.email === own.email && <span className="muted">{t('people.you')}</span>}
        <br />
        <span className="muted small">{summaryOf(user)}</span>
      </span>
      <Chip tone={tone}>{text}</Chip>
    </li>
  )
}
