import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { Installed } from './installed.tsx'
import { NewApp } from './new-app.tsx'
import { AppsPage } from './parts.tsx'
import { appsQuery } from './queries.ts'

/** What works for the shop, and what its own developers have registered. */
export function Apps() {
  const apps = useQuery(appsQuery)
  const [isNew, setNew] = useState(false)
  return (
    <AppsPage
      part="apps"
      about={t('apps.about')}
      actions={
        <Button look="primary" icon="plus" onClick={() => setNew(true)}>
          {t('apps.register')}
        </Button>
      }
      failed={apps.isError ? apps : undefined}
    >
      <Installed />
      <Card title={t('apps.own')} aside={t('apps.own_about')}>
        {apps.data === undefined ? (
          <WaitingRows count={1} />
        ) : apps.data.length === 0 ? (
          <Empty icon="webhook" text={t('apps.no_own')} />
        ) : (
          <ul className="rows">
            {apps.data.map(({ id, name, client_id, is_installed }) => (
              <li key={id}>
                <span className="grow">
                  <Link className="strong" to="/apps/$id" params={{ id: String(id) }}>
                    {name}
                  </Link>
                  <br />
                  <span className="muted small">{client_id}</span>
                </span>
                {is_installed && <Chip tone="ok">{t('apps.is_installed')}</Chip>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {isNew && <NewApp close={() => setNew(false)} />}
    </AppsPage>
  )
}
