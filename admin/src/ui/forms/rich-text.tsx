import { lazy, Suspense } from 'react'

export type RichTextProps = {
  label: string
  hint?: string
  error?: string | undefined
  /** HTML; empty if there is nothing. */
  value: string
  onValue: (html: string) => void
}

const Editor = lazy(() => import('./rich-text-editor.tsx'))

/** A text with headings, lists and links. The editor is loaded where it is shown. */
export function RichText(props: RichTextProps) {
  return (
    <Suspense fallback={<span className="skeleton" />}>
      <Editor {...props} />
    </Suspense>
  )
}
