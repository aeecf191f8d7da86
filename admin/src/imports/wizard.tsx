import './imports.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ButtonLink, DownloadLink } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { bytes } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Columns } from './columns.tsx'
import { Done } from './done.tsx'
import { Fix } from './fix.tsx'
import { type Import, importQuery, isUnderWay } from './queries.ts'
import { LISTS, type Step } from './search.ts'
import { Steps } from './steps.tsx'
import { UnderWay } from './under-way.tsx'
import { headingOf } from './words.ts'

const route = getRouteApi('/imports/$id')

/** The step that the file is at; somebody may look back, but not ahead. */
function stepOf({ state, report, problem }: Import, wanted: Step | undefined): Step {
  if (['importing', 'imported', 'undoing', 'undone'].includes(state)) return 'import'
  if (state === 'checking' || state === 'checked')
    return wanted === 'columns' && state !== 'checking' ? 'columns' : 'fix'
  if (problem !== null) return wanted === 'columns' ? 'columns' : 'fix'
  return wanted === 'fix' && report !== null ? 'fix' : 'columns'
}

export function ImportWizard() {
  const { id } = route.useParams()
  const { step: wanted } = route.useSearch()
  const read = useQuery({ ...importQuery(Number(id)), refetchOnWindowFocus: false })
  if (read.isError)
    return (
      <Page title={t('imports.title')}>
        <Problem error={read.error} retry={() => void read.refetch()} />
      </Page>
    )
  if (read.data === undefined)
    return (
      <Page title={t('imports.title')}>
        <Card label={t('imports.title')}>
          <WaitingRows count={4} />
        </Card>
      </Page>
    )
  const { file, etag } = read.data
  const step = stepOf(file, wanted)
  const isWritten = ['imported', 'undoing', 'undone'].includes(file.state)
  return (
    <Page
      title={headingOf(file)}
      trail={
        file.kind === null
          ? { to: '/imports', title: t('imports.title') }
          : { to: LISTS[file.kind], title: t(`imports.kinds.${file.kind}`) }
      }
      actions={
        file.state === 'checked' &&
        (file.report?.counts.refused ?? 0) > 0 && (
          <DownloadLink href={`/admin/api/imports/${file.id}/mistakes.csv`}>{t('imports.mistakes_csv')}</DownloadLink>
        )
      }
      about={t(isWritten ? 'imports.file_done' : 'imports.file', { file: file.file_name, size: bytes(file.size) })}
    >
      <Steps
        current={step}
        id={file.id}
        mayGoBack={file.state === 'checked' || file.state === 'failed' || file.state === 'draft'}
      />
      {isUnderWay(file) ? (
        <UnderWay file={file} />
      ) : step === 'columns' ? (
        <Columns key={`${file.id} ${file.kind} ${file.exported_from} ${file.encoding}`} file={file} etag={etag} />
      ) : step === 'fix' && file.problem === null ? (
        <Fix key={file.updated_at} file={file} etag={etag} />
      ) : step === 'fix' ? (
        <Failed file={file} />
      ) : (
        <Done file={file} />
      )}
    </Page>
  )
}

function Failed({ file }: { file: Import }) {
  return (
    <div className="stack">
      <p className="notice bad" role="alert">
        {file.problem?.message}
      </p>
      <div className="actions">
        <ButtonLink look="primary" to="/imports" search={file.kind === null ? {} : { kind: file.kind }}>
          {t('imports.other_file')}
        </ButtonLink>
        <ButtonLink to="/imports/$id" params={{ id: String(file.id) }} search={{ step: 'columns' }}>
          {t('imports.to_columns')}
        </ButtonLink>
      </div>
    </div>
  )
}
