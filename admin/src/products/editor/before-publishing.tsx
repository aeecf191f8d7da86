import { Icon } from '../../ui/icons.tsx'
import { Card } from '../../ui/page.tsx'
import { languageName } from '../../words/format.ts'
import { type MessageKey, t } from '../../words/words.ts'
import type { Draft } from '../draft.ts'
import type { Product } from '../queries.ts'
import { type Step, stepsOf } from './checklist.ts'

const nameOf = (step: Step) =>
  step.key === 'description'
    ? t('products.steps.description', { language: languageName(step.language) })
    : t(`products.steps.${step.key}`)

/** The card of the editor where a step is done. */
const CARDS: Record<Step['key'], MessageKey> = {
  title_and_picture: 'products.pictures',
  offer: 'offers.title',
  file: 'files.title',
  parts: 'products.parts',
  description: 'products.texts',
}

/** Scrolls to a card and puts the focus on the first thing in it. */
function showCard(title: MessageKey) {
  const card = document.querySelector(`main .card[aria-label="${CSS.escape(t(title as 'files.title'))}"]`)
  card?.scrollIntoView({ block: 'center' })
  card?.querySelector<HTMLElement>('button, input, select, textarea, [contenteditable]')?.focus({ preventScroll: true })
}

/** What is left to do before people see the product. */
export function BeforePublishing({ product, draft }: { product: Product; draft: Draft }) {
  const steps = stepsOf(product, draft)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Card title={t('products.before_publishing')} aside={t('products.steps_done', { done, total: steps.length })}>
      <ul className="card-body steps">
        {steps.map((step) => (
          <li key={nameOf(step)} className={step.isDone ? 'muted' : undefined}>
            <span className={step.isDone ? 'step-mark done' : 'step-mark'}>
              {step.isDone && <Icon name="check" size={12} />}
            </span>
            {step.isDone ? (
              <span>{nameOf(step)}</span>
            ) : (
              <button type="button" className="link" onClick={() => showCard(CARDS[step.key])}>
                {nameOf(step)}
              </button>
            )}
            <span className="hidden">{step.isDone ? t('products.step_done') : t('products.step_open')}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
