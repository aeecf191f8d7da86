import { Button } from '../ui/button.tsx'
import { Field } from '../ui/forms/fields.tsx'
import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { accentOf, contrast } from './accent.gen.ts'

const OF_THEME = '#0b6b57'
const PAPER = '#f6f7f6'
const IS_COLOUR = /^#[0-9a-f]{6}$/i
const CHOICES = ['#1c4770', '#7b2d72', '#a8271c', '#0b6b57', '#8a5a00']

type AccentProps = { colour: string; onColour: (colour: string) => void; error: string | undefined }

/** The colour of buttons and links, with what becomes of it on light and dark pages. */
export function Accent({ colour, onColour, error }: AccentProps) {
  const shown = IS_COLOUR.test(colour) ? colour.toLowerCase() : OF_THEME
  return (
    <>
      <Field label={t('shop.accent')} hint={t('shop.accent_hint')} error={error}>
        {(id, describedBy) => (
          <div className="accent">
            <input
              type="color"
              aria-label={t('shop.choose_colour')}
              value={shown}
              onChange={(event) => onColour(event.target.value)}
            />
            <input
              id={id}
              className="input code"
              value={colour}
              maxLength={7}
              placeholder={t('shop.accent_default')}
              aria-invalid={error !== undefined}
              aria-describedby={describedBy}
              onChange={(event) => onColour(event.target.value.trim())}
            />
            {CHOICES.map((each) => (
              <button
                key={each}
                type="button"
                className="swatch"
                style={{ background: each }}
                aria-label={t('shop.take_colour', { colour: each })}
                aria-pressed={each === shown && colour !== ''}
                onClick={() => onColour(each)}
              />
            ))}
            {colour !== '' && (
              <Button look="plain" onClick={() => onColour('')}>
                {t('shop.no_colour')}
              </Button>
            )}
          </div>
        )}
      </Field>
      <Samples colour={shown} />
    </>
  )
}

/** Where the colour is used, how it looks there, and whether everybody can read it. */
function Samples({ colour }: { colour: string }) {
  const { light, dark } = accentOf(colour)
  const samples = [
    {
      where: 'buttons_light',
      style: { background: light.accent, color: light.on },
      ratio: contrast(light.accent, light.on),
    },
    { where: 'links_light', style: { background: PAPER, color: light.accent }, ratio: contrast(light.accent, PAPER) },
    {
      where: 'buttons_dark',
      style: { background: dark.accent, color: dark.on },
      ratio: contrast(dark.accent, dark.on),
    },
  ] as const
  const isOwn = (where: string) => (where === 'buttons_dark' ? dark : light).accent === colour
  return (
    <table className="table samples" aria-label={t('shop.samples')}>
      <thead>
        <tr>
          <th scope="col">{t('shop.where')}</th>
          <th scope="col">{t('shop.looks_like')}</th>
          <th scope="col" className="number">
            {t('shop.contrast')}
          </th>
          <th scope="col">{t('shop.needs')}</th>
        </tr>
      </thead>
      <tbody>
        {samples.map(({ where, style, ratio }) => (
          <tr key={where}>
            <td className="first">{t(`shop.wheres.${where}`)}</td>
            <td className="second">
              <span className="sample" style={style}>
                {t(where === 'links_light' ? 'shop.sample_link' : 'shop.sample_button')}
              </span>
            </td>
            <td className="number figure first-end">{`${ratio.toFixed(1)} : 1`}</td>
            <td className="second-end">
              {isOwn(where) ? (
                <Chip tone="ok">{t('shop.good')}</Chip>
              ) : (
                <Chip tone="part">
                  {t('shop.corrected', { colour: (where === 'buttons_dark' ? dark : light).accent })}
                </Chip>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
