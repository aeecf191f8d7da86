import './licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { changesIn, draftOf, triedOf } from './draft.ts'
import { MoreFields, TextFields } from './more-fields.tsx'
import { licenseName } from './names.ts'
import { isGeneral, type License, licenseQuery, licenseUsesQuery, useDeleteLicense, useSaveLicense } from './queries.ts'
import { Said } from './said.tsx'
import { TermsFields } from './terms-fields.tsx'
import { TryOut } from './try-out.tsx'
import { UsedBy } from './used-by.tsx'

const route = getRouteApi('/licenses/$id')
const trail = () => ({ to: '/licenses', title: t('menu.licenses') })

/** A license: what it says, what comes of it, and where it is used. */
export function LicenseDetail() {
  const { id } = route.useParams()
  const read = useQuery({ ...licenseQuery(id), refetchOnWindowFocus: false })
  if (read.data !== undefined) return <LicensePage key={id} read={read.data} />
  return (
    <Page title={t('licenses.one')} trail={trail()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={4} />}
    </Page>
  )
}

type Read = { license: License; etag: string }
const draftOfRead = ({ license }: Read) => draftOf(license)

function LicensePage({ read }: { read: Read }) {
  const { license } = read
  const products = useQuery(licenseUsesQuery).data?.get(license.id) ?? 0
  const mayChange = useMay('request_products')
  const isOpen = mayChange && !isGeneral(license) && license.valid === 1
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf: draftOfRead,
    changesIn,
    save: useSaveLicense(license.id),
    saidOf: ({ name }) => t('licenses.saved', { name }),
  })
  const tried = triedOf(draft)
  return (
    <Page
      title={licenseName(license)}
      trail={trail()}
      chips={<StateChip license={license} />}
      about={isGeneral(license) ? t('licenses.general_about') : t('licenses.about', { count: products })}
      actions={<Actions license={license} products={products} isOpen={isOpen} mayChange={mayChange} />}
    >
      <Said license={tried} />
      <form className="columns" onSubmit={submit}>
        <fieldset className="stack" disabled={!isOpen}>
          <TermsFields draft={draft} set={set} errorAt={errorAt} />
          <MoreFields draft={draft} set={set} errorAt={errorAt} />
          <TextFields draft={draft} set={set} errorAt={errorAt} />
        </fieldset>
        <div className="stack">
          <TryOut license={tried} />
          <UsedBy filter={{ license_id: license.id }} />
        </div>
        <SaveBar {...bar} note={t('licenses.keeps', { count: products })} />
      </form>
    </Page>
  )
}

function StateChip({ license }: { license: License }) {
  if (license.valid !== 1) return <Chip tone="bad">{t('licenses.deleted_chip')}</Chip>
  return isGeneral(license) ? (
    <Chip tone="draft">{t('licenses.general')}</Chip>
  ) : (
    <Chip tone="ok">{t('licenses.own')}</Chip>
  )
}

type ActionsProps = { license: License; products: number; isOpen: boolean; mayChange: boolean }

function Actions({ license, products, isOpen, mayChange }: ActionsProps) {
  const [isAsked, ask] = useState(false)
  return (
    <>
      <ButtonLink to="/licenses/compare" search={{ one: license.id }}>
        {t('licenses.compare')}
      </ButtonLink>
      {mayChange && (
        <ButtonLink icon="copy" to="/licenses/new" search={{ from: license.id }}>
          {t('licenses.duplicate')}
        </ButtonLink>
      )}
      {isOpen && (
        <Button look="danger" onClick={() => ask(true)}>
          {t('licenses.delete')}
        </Button>
      )}
      {isAsked && <DeleteQuestion license={license} products={products} close={() => ask(false)} />}
    </>
  )
}

/** Says what deleting means: for those who bought, and for the products that still name it. */
function DeleteQuestion({ license, products, close }: { license: License; products: number; close: () => void }) {
  const remove = useDeleteLicense(license.id)
  const navigate = useNavigate()
  const { name } = license
  return (
    <Confirm
      title={t('licenses.delete_title', { name })}
      text={products === 0 ? t('licenses.delete_text') : t('licenses.delete_used', { count: products })}
      action={t('licenses.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending || products > 0}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('licenses.deleted', { name }))
            void navigate({ to: '/licenses', search: {} })
          },
        })
      }
      close={close}
    />
  )
}
