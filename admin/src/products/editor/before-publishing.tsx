import { Icon } from '../../ui/icons.tsx'
import { Card } from '../../ui/page.tsx'
import { languageName } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { Draft } from '../draft.ts'
import type { Product } from '../queries.ts'
import { type Step, stepsOf } from './checklist.ts'

const nameOf = (step: Step) =>
  step.key === 'description'
    ? t('products.steps.description', { language: languageName(step.language) })
    : t(`products.steps.${step.key}`)

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
            <span>{nameOf(step)}</span>
            <span className="hidden">{step.isDone ? t('products.step_done') : t('products.step_open')}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
