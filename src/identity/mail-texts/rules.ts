import { FieldReport } from '#platform/errors/problem.ts'
import { elementsOf, type MessageElement } from '#platform/text/icu.ts'
import { isTranslated, languageOf, messagesBelow, type Overrides } from '#platform/text/messages.ts'
import { mailKindNotFound, mailTextBroken, mailTextMalformed, mailTextUnknown, mailVariableUnknown } from './errors.ts'
import { MAIL_KINDS, type MailKind, TO_OWNERS } from './kinds.facts.ts'
import type { MailTextInput } from './schema.ts'
import type { MailMessage, OwnTexts, Writer } from './state.ts'

/** The kind and the language that a path names. */
export function readMailRef({ kind, language }: { kind: string; language: string }): {
  kind: MailKind
  language: string
} {
  if (!Object.hasOwn(MAIL_KINDS, kind) || !isTranslated(language)) throw mailKindNotFound(`${kind} in ${language}`)
  return { kind: kind as MailKind, language }
}

/** The names of the values in the parts of a message, also within plurals. */
function namesIn(elements: readonly MessageElement[]): string[] {
  return elements.flatMap((element) => {
    const names = 'value' in element && element.type !== LITERAL ? [String(element.value)] : []
    const inside = 'options' in element ? Object.values(element.options).flatMap(({ value }) => namesIn(value)) : []
    return [...names, ...inside]
  })
}

const LITERAL = 0

/** The variables of a message, each once. Throws a SyntaxError if it is none. */
export function variablesOf(text: string): string[] {
  return [...new Set(namesIn(elementsOf(text)))]
}

/** The messages of a kind of mail, in the order in which they are written down. */
export function messagesOf(kind: MailKind, language: string): MailMessage[] {
  const prefix = `${MAIL_KINDS[kind]}.`
  return messagesBelow(language, prefix)
    .filter(([key]) => !TO_OWNERS.test(key))
    .map(([key, standard]) => ({ key, name: key.slice(prefix.length), standard, variables: variablesOf(standard) }))
}

/** Subjects, headings and the texts of buttons are in one line; other texts may have several. */
const isOneLine = (name: string) => !/(^|\.)(text|thanks|why|ignore|if_not|needs|later|answer)$/.test(name)

/**
 * The own texts of a kind after a change. A text that is null or that of the service is its own no more. What a text names has to be
 * there: a variable without a value would leave a hole in the mail.
 */
export function changedTexts(
  { kind, language, texts }: OwnTexts,
  changes: readonly MailTextInput[],
): Record<string, string> {
  const known = new Map(messagesOf(kind, language).map((message) => [message.name, message]))
  const report = new FieldReport()
  const after = { ...texts }
  for (const [place, { name, text }] of changes.entries()) {
    const message = known.get(name)
    if (message === undefined) {
      report.add(`texts[${place}].name`, mailTextUnknown())
      continue
    }
    const written = text?.replaceAll('\r\n', '\n').trim() ?? ''
    if (written === '' || written === message.standard) delete after[message.key]
    else {
      checkText(written, message, `texts[${place}].text`, report)
      after[message.key] = written
    }
  }
  report.throwIfAny()
  return after
}

function checkText(text: string, { name, variables }: MailMessage, field: string, report: FieldReport): void {
  if (isOneLine(name) && text.includes('\n')) report.add(field, mailTextBroken())
  try {
    const unknown = variablesOf(text).find((each) => !variables.includes(each))
    if (unknown !== undefined) report.add(field, mailVariableUnknown({ unknown, known: variables }))
  } catch {
    report.add(field, mailTextMalformed())
  }
}

/** The own texts of a company in the language in which somebody is answered. */
export function ownTextsIn({ mail_texts = [] }: Writer, asked: string): Overrides {
  const language = languageOf(asked)
  return Object.assign({}, ...mail_texts.filter((own) => own.language === language).map(({ texts }) => texts))
}
