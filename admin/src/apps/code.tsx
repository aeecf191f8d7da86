const ROWS_MAX = 24

/** A text of a program, to read and to copy. Long ones scroll, by keyboard too. */
export function Code({ label, text }: { label: string; text: string }) {
  const rows = Math.min(ROWS_MAX, text.split('\n').length + 1)
  return <textarea className="code-block" aria-label={label} readOnly rows={rows} value={text} spellCheck={false} />
}
