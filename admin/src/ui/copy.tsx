import { t } from '../words/words.ts'
import { Icon } from './icons.tsx'
import { toast } from './toasts.tsx'

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(t('common.copied'))
  }
  return (
    <button type="button" className="button icon plain" aria-label={label} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  )
}
