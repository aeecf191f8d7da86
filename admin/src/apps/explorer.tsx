import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { companyHeader } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Field, SelectField, TextArea } from '../ui/forms/fields.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Code } from './code.tsx'
import { AppsPage } from './parts.tsx'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Answer = { status: number; ms: number; text: string }

/** The operations of the document, as far as this screen offers them. */
type Operations = { method: Method; path: string; summary: string }[]

async function readOperations(): Promise<Operations> {
  const document = (await (await fetch('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { summary?: string }>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => /^\/api\//.test(path) && methods[method.toLowerCase()] !== undefined).map((method) => ({
      method,
      path,
      summary: methods[method.toLowerCase()]?.summary ?? '',
    })),
  )
}

/** Sends a request as the user who has signed in. Apps call the same path with their token. */
async function send(method: Method, path: string, body: string): Promise<Answer> {
  const begun = performance.now()
  const answer = await fetch(path.replace(/^\/api\//, '/admin/api/'), {
    method,
    headers: { ...companyHeader(), ...(body === '' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' || body === '' ? {} : { body }),
  })
  const text = await answer.text()
  return { status: answer.status, ms: Math.round(performance.now() - begun), text: readable(text) }
}

const SHOWN_MAX = 200_000

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, SHOWN_MAX)
  } catch {
    return text.slice(0, SHOWN_MAX)
  }
}

/** Tries the interface with the rights of the user who has signed in. */
export function Explorer() {
  const operations = useQuery({
    queryKey: ['operations'],
    queryFn: readOperations,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [method, setMethod] = useState<Method>('GET')
  const [path, setPath] = useState('/api/products.json?limit=3')
  const [body, setBody] = useState('')
  const [answer, setAnswer] = useState<Answer | 'failed' | 'busy'>()
  const offers = useId()
  const offered = (operations.data ?? []).filter((each) => each.method === method)
  const problem = /^\/api\/[^\s]*$/.test(path) ? undefined : t('explorer.path_wrong')
  const submit = async () => {
    setAnswer('busy')
    setAnswer(await send(method, path, body.trim()).catch(() => 'failed' as const))
  }
  return (
    <AppsPage part="explorer" about={t('explorer.about')}>
      <Card title={t('explorer.request')}>
        <form
          className="card-body stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (problem === undefined) void submit()
          }}
        >
          <div className="request-line">
            <SelectField
              label={t('explorer.method')}
              value={method}
              onValue={setMethod}
              options={METHODS.map((value) => ({ value, title: value }))}
            />
            <Field label={t('explorer.path')} error={problem}>
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input code"
                  list={offers}
                  value={path}
                  maxLength={2000}
                  spellCheck={false}
                  autoComplete="off"
                  aria-invalid={problem !== undefined}
                  aria-describedby={describedBy}
                  onChange={(event) => setPath(event.target.value)}
                />
              )}
            </Field>
          </div>
          <datalist id={offers}>
            {offered.map((each) => (
              <option key={each.path} value={each.path} label={each.summary} />
            ))}
          </datalist>
          {method !== 'GET' && (
            <>
              <TextArea label={t('explorer.body')} value={body} onValue={setBody} />
              <p className="notice wait">{t('explorer.real')}</p>
            </>
          )}
          <div className="actions">
            <Button type="submit" look="primary" disabled={answer === 'busy'}>
              {t('explorer.send')}
            </Button>
            <a className="button" href="/docs" target="_blank" rel="noreferrer">
              {t('menu.docs')}
            </a>
          </div>
        </form>
      </Card>
      {answer === 'failed' && (
        <p className="notice bad" role="alert">
          {t('problem.offline')}
        </p>
      )}
      {typeof answer === 'object' && <AnswerCard answer={answer} />}
    </AppsPage>
  )
}

function AnswerCard({ answer: { status, ms, text } }: { answer: Answer }) {
  return (
    <Card
      title={t('explorer.answer')}
      aside={t('explorer.took', { ms: count(ms) })}
      end={
        <span className="with-end">
          <Chip tone={status < 400 ? 'ok' : 'bad'}>{status}</Chip>
          <CopyButton text={text} label={t('explorer.copy')} />
        </span>
      }
    >
      <Code label={t('explorer.answer')} text={text} />
    </Card>
  )
}
