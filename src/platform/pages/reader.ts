import type { FastifyRequest } from 'fastify'
import { translatedLanguage } from '../text/accepted-languages.ts'
import { isTranslated, type Translator, translatorOf } from '../text/messages.ts'

/** For whom a page is. */
export type Reader = {
  t: Translator
  /** Minutes ahead of UTC. */
  utcOffset: number
}

/** Speaks the language of the user who has signed in, or else that of the browser. */
export function readerOf({ headers, visitor }: Pick<FastifyRequest, 'headers' | 'visitor'>): Reader {
  const own = visitor?.language ?? ''
  const language = isTranslated(own) ? own : translatedLanguage(headers['accept-language'] ?? '')
  return { t: translatorOf(language ?? ''), utcOffset: visitor?.utcOffset ?? 0 }
}
