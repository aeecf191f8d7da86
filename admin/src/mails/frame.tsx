import { useCallback, useEffect, useRef } from 'react'

const EMPTY = '/admin/mail-frame'
/** What a mail does not need to be looked at. The service writes none of it, and the frame would not run it either. */
const LEFT_OUT = 'script, base, link, meta, form, iframe, object, embed'

/** Puts a mail into the empty page of a frame. Its links lead nowhere. */
function showIn(page: Document, html: string): void {
  page.documentElement.innerHTML = html
  page.documentElement.lang = /<html lang="(\w+)"/.exec(html)?.[1] ?? ''
  for (const part of page.querySelectorAll(LEFT_OUT)) part.remove()
  for (const link of page.querySelectorAll('a[href]')) link.removeAttribute('href')
}

type MailFrameProps = { title: string; html: string; isPhone?: boolean }

/** A mail in a frame of its own, with the rules of mails: inline styles, and nothing that runs or is sent. */
export function MailFrame({ title, html, isPhone = false }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const show = useCallback(() => {
    const page = frame.current?.contentDocument
    // Before it is loaded, the frame has another page, which has the rules of this one.
    if (page?.location.pathname === EMPTY) showIn(page, html)
  }, [html])
  useEffect(show, [show])
  return (
    <iframe
      ref={frame}
      className={isPhone ? 'mail-frame phone' : 'mail-frame'}
      title={title}
      src={EMPTY}
      sandbox="allow-same-origin"
      onLoad={show}
    />
  )
}
