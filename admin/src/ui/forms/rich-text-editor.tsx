import './rich-text-editor.css'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit, { type StarterKitOptions } from '@tiptap/starter-kit'
import { useEffect, useId, useState } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import type { RichTextProps } from './rich-text.tsx'

/** What the editor keeps. Anything else that somebody has written is shown as HTML, so that it is not lost. */
const KNOWN = /^<(\/?(p|strong|b|em|i|h[23]|ul|ol|li|blockquote|a)|br ?\/?|a href="[^"]*")>$/i
const TAG = /<[^>]*>/g

const isKnown = (html: string) => [...html.matchAll(TAG)].every(([tag]) => KNOWN.test(tag))

/** A text with headings, lists and links, as it will look. */
export default function RichText(props: RichTextProps) {
  const [isSource, setIsSource] = useState(() => !isKnown(props.value))
  const id = useId()
  const said = props.error ?? props.hint
  return (
    <div className="field">
      <div className="rich-head">
        <span id={`${id}-label`} className="strong">
          {props.label}
        </span>
        {(isKnown(props.value) || !isSource) && (
          <Button look="plain" aria-pressed={isSource} onClick={() => setIsSource(!isSource)}>
            {t('text.html')}
          </Button>
        )}
      </div>
      {isSource ? (
        <textarea
          className="input code"
          aria-labelledby={`${id}-label`}
          aria-describedby={said === undefined ? undefined : `${id}-said`}
          aria-invalid={props.error !== undefined}
          rows={8}
          maxLength={65_535}
          spellCheck={false}
          value={props.value}
          onChange={(event) => props.onValue(event.target.value)}
        />
      ) : (
        <Formatted {...props} id={id} />
      )}
      {said !== undefined && (
        <p id={`${id}-said`} className={props.error === undefined ? 'hint' : 'hint wrong'}>
          {said}
        </p>
      )}
    </div>
  )
}

/** Links are written as owners expect them: without a class, and in the same tab. */
const LINK = { openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null, class: null } }
const WITHOUT = { code: false, codeBlock: false, strike: false, underline: false, horizontalRule: false } as const
const KIT = { ...WITHOUT, link: LINK, heading: { levels: [2, 3] } } satisfies Partial<StarterKitOptions>

function Formatted({ id, value, onValue }: RichTextProps & { id: string }) {
  const editor = useEditor({
    extensions: [StarterKit.configure(KIT)],
    content: value,
    // The style of the editor is in our stylesheet: the page allows no other.
    injectCSS: false,
    editorProps: {
      attributes: {
        class: 'input rich',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        'aria-describedby': `${id}-said`,
      },
    },
    onUpdate: ({ editor: changed }) => onValue(changed.isEmpty ? '' : changed.getHTML()),
  })
  // Somebody has taken back what was typed, or began with a template.
  useEffect(() => {
    // While another part of the screen is loaded, this one is taken away and gets an editor anew.
    if (editor.isDestroyed) return
    const now = editor.isEmpty ? '' : editor.getHTML()
    if (!editor.isFocused && now !== value) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  return (
    <>
      <Toolbar editor={editor} />
      <EditorContent editor={editor} />
    </>
  )
}

function Toolbar({ editor }: { editor: Editor }) {
  const is = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      heading: now.isActive('heading', { level: 2 }),
      list: now.isActive('bulletList'),
      link: now.isActive('link'),
      href: String(now.getAttributes('link').href ?? ''),
    }),
  })
  const [address, setAddress] = useState<string>()
  const link = () => {
    const href = address?.trim() ?? ''
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === '') chain.unsetLink().run()
    else chain.setLink({ href: /^(https?:|mailto:|\/)/.test(href) ? href : `https://${href}` }).run()
    setAddress(undefined)
  }
  const tools = [
    { key: 'bold', isOn: is.bold, press: () => editor.chain().focus().toggleBold().run() },
    { key: 'italic', isOn: is.italic, press: () => editor.chain().focus().toggleItalic().run() },
    { key: 'heading', isOn: is.heading, press: () => editor.chain().focus().toggleHeading({ level: 2 }).run() },
    { key: 'list', isOn: is.list, press: () => editor.chain().focus().toggleBulletList().run() },
    { key: 'link', isOn: is.link, press: () => setAddress(is.href) },
  ] as const
  return (
    <div className="rich-tools" role="toolbar" aria-label={t('text.format')}>
      {tools.map(({ key, isOn, press }) => (
        <Button key={key} look="plain" aria-pressed={isOn} onClick={press}>
          {t(`text.${key}`)}
        </Button>
      ))}
      {address !== undefined && (
        <span className="rich-link">
          <input
            className="input"
            // biome-ignore lint/a11y/noAutofocus: somebody has just asked for this field.
            autoFocus
            aria-label={t('text.address')}
            placeholder="https://"
            value={address}
            maxLength={2000}
            onChange={(event) => setAddress(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setAddress(undefined)
              if (event.key !== 'Enter') return
              // Enter would save the whole form.
              event.preventDefault()
              link()
            }}
          />
          <Button onClick={link}>{t('text.set_link')}</Button>
        </span>
      )}
    </div>
  )
}
