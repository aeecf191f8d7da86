import { LANGUAGES } from '#platform/text/messages.ts'
import { wireTime } from '#platform/wire/times.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { MAIL_KINDS } from './kinds.facts.ts'
import { messagesOf } from './rules.ts'
import type { MailKind, MailTexts } from './schema.ts'
import type { OwnTexts } from './state.ts'

export function presentMailTexts({
  kind,
  language,
  texts,
  updated_at,
}: OwnTexts & { updated_at: Date | null }): MailTexts {
  return {
    kind,
    language,
    texts: messagesOf(kind, language).map(({ key, name, standard, variables }) => ({
      name,
      standard,
      text: texts[key] ?? null,
      variables,
    })),
    updated_at: updated_at === null ? null : wireTime(updated_at),
  }
}

export function presentMailKinds(counts: readonly { kind: string; language: string; count: number }[]): MailKind[] {
  const own = new Map(counts.map(({ kind, language, count }) => [`${kind} ${language}`, count]))
  return keysOf(MAIL_KINDS).map((kind) => ({
    kind,
    languages: LANGUAGES.map((language) => ({ language, own_texts: own.get(`${kind} ${language}`) ?? 0 })),
  }))
}
