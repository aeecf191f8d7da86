import './licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Page } from '../ui/page.tsx'
import { errorsOf, Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Draft, draftOf, inputOf, triedOf } from './draft.ts'
import { MoreFields, TextFields } from './more-fields.tsx'
import { licenseName } from './names.ts'
import { type License, licenseQuery, useCreateLicense } from './queries.ts'
import { Said } from './said.tsx'
import { TermsFields } from './terms-fields.tsx'
import { TryOut } from './try-out.tsx'

const route = getRouteApi('/licenses/new')
const trail = () => ({ to: '/licenses', title: t('menu.licenses') })

/** Everything without a limit on five devices: what most shops begin with. */
const FIRST: Draft = {
  name: '',
  type: 'content',
  ends: 'never',
  period: { typed: '48', unit: 'hours' },
  hasStartBy: false,
  startBy: { typed: '30', unit: 'days' },
  hasLastDay: false,
  lastDay: '',
  isProtected: true,
  mayPlay: true,
  devices: { kind: 'some', typed: '5' },
  devicesAYear: { kind: 'any', typed: '1' },
  downloads: { kind: 'any', typed: '1' },
  downloadsAYear: { kind: 'any', typed: '1' },
  exports: { kind: 'none', typed: '1' },
  exportsAYear: { kind: 'none', typed: '1' },
  mayExportBooks: false,
  mayExportMusic: false,
  burns: { kind: 'none', typed: '1' },
  mayPrint: false,
  pages: { kind: 'any', typed: '1' },
  clock: 'ignore',
  countries: [],
  regions: [],
  norm: null,
  stamp: true,
  weight: '0',
  isInPounds: false,
  isNet: false,
  outputs: { copp_hdcp: false, copp_cgms: false, copp_aps: false },
  levels: {
    play_prot_level_digital: 0,
    play_prot_level_analog: 0,
    copy_prot_level_digital: 0,
    copy_prot_level_analog: 0,
  },
  texts: [],
}

/** The terms of another license, under a name of its own. */
function copyOf(license: License): Draft {
  const draft = draftOf(license)
  return {
    ...draft,
    name: t('licenses.copy_of', { name: licenseName(license) }),
    texts: draft.texts.map(({ id: _id, ...text }) => text),
  }
}

/** Writes a license, from nothing or from another one. */
export function NewLicensePage() {
  const { from } = route.useSearch()
  const mayChange = useMay('request_products')
  const copied = useQuery({ ...licenseQuery(String(from)), enabled: from !== undefined })
  if (!mayChange)
    return (
      <Page title={t('licenses.new')} trail={trail()}>
        <p className="notice">{t('licenses.not_allowed')}</p>
      </Page>
    )
  if (from === undefined) return <Editor key="new" first={FIRST} />
  if (copied.data !== undefined) return <Editor key={from} first={copyOf(copied.data.license)} />
  return (
    <Page title={t('licenses.new')} trail={trail()}>
      {copied.isError ? (
        <Problem error={copied.error} retry={() => void copied.refetch()} />
      ) : (
        <WaitingRows count={4} />
      )}
    </Page>
  )
}

function Editor({ first }: { first: Draft }) {
  const [draft, setDraft] = useState(first)
  const create = useCreateLicense()
  const navigate = useNavigate()
  const errors = errorsOf(create.error)
  const fields = {
    draft,
    set: (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })),
    errorAt: (path: string) => errors[path]?.[0],
  }
  const tried = triedOf(draft)
  const store = () =>
    create.mutate(inputOf(draft), {
      onSuccess: ({ id, name }) => {
        toast(t('licenses.created', { name }))
        void navigate({ to: '/licenses/$id', params: { id: String(id) } })
      },
    })
  return (
    <Page title={t('licenses.new')} trail={trail()}>
      <Said license={tried} />
      <form
        className="columns"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <div className="stack">
          <TermsFields {...fields} />
          <MoreFields {...fields} />
          <TextFields {...fields} />
        </div>
        <div className="stack">
          <TryOut license={tried} />
        </div>
        <section className="save-bar" aria-label={t('licenses.new')}>
          <span className={create.isError ? 'grow wrong' : 'grow muted'} role={create.isError ? 'alert' : undefined}>
            {create.isError ? problemText(create.error) : t('licenses.new_about')}
          </span>
          <ButtonLink to="/licenses" search={{}}>
            {t('common.back')}
          </ButtonLink>
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('licenses.create')}
          </Button>
        </section>
      </form>
    </Page>
  )
}
