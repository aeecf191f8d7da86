import '../fulfillments.css'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/forms/fields.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { LINES_MAX, type Line, readLines } from './lines.ts'
import { Preview } from './preview.tsx'

/** Tracking numbers of many orders, from the list of a carrier. */
export function TrackingImport() {
  const [text, setText] = useState('')
  const [lines, setLines] = useState<readonly Line[]>()
  const [problem, setProblem] = useState<string>()
  const read = (from: string) => {
    const found = readLines(from)
    setProblem(
      found.length === 0
        ? t('fulfillments.file.empty')
        : found.length > LINES_MAX
          ? t('fulfillments.file.too_many', { max: LINES_MAX })
          : undefined,
    )
    if (found.length > 0 && found.length <= LINES_MAX) setLines(found)
  }
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return
    const content = await file.text()
    setText(content)
    read(content)
  }
  return (
    <Page
      title={t('fulfillments.import')}
      about={t('fulfillments.file.about')}
      trail={{ to: '/fulfillments', title: t('menu.fulfillments') }}
    >
      {lines === undefined ? (
        <Card label={t('fulfillments.file.paste')}>
          <form
            className="card-body stack"
            onSubmit={(event) => {
              event.preventDefault()
              read(text)
            }}
          >
            <TextArea
              label={t('fulfillments.file.paste')}
              hint={t('fulfillments.file.paste_hint')}
              value={text}
              onValue={setText}
              error={problem}
            />
            <div className="actions">
              <Button type="submit" look="primary">
                {t('fulfillments.file.read')}
              </Button>
              <label className="button file-button">
                {t('fulfillments.file.choose')}
                <input
                  className="hidden"
                  type="file"
                  accept=".csv,.txt,text/csv,text/plain"
                  onChange={({ target }) => void readFile(target.files?.[0])}
                />
              </label>
            </div>
          </form>
        </Card>
      ) : (
        <Preview lines={lines} setLines={setLines} back={() => setLines(undefined)} />
      )}
    </Page>
  )
}
