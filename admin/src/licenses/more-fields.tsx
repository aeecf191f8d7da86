import { Check, SelectField, TextArea, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { CLOCKS, hasGoods, LEVEL_NAMES, LEVELS, SWITCHES } from './draft.ts'
import { type FieldsProps, Setting, TimesInput } from './fields.tsx'
import { LANGUAGES } from './names.ts'

/** What few licenses say: copies, the clock, marks of the buyer, goods and outputs. */
export function MoreFields(props: FieldsProps) {
  const { draft, set, errorAt } = props
  return (
    <Card title={t('licenses.more')}>
      {draft.isProtected && <Copies {...props} />}
      <Setting title={t('licenses.stamp')}>
        <Check label={t('licenses.stamped')} isOn={draft.stamp} onChange={(stamp) => set({ stamp })} />
      </Setting>
      {draft.isProtected && (
        <Setting title={t('licenses.clock')}>
          <SelectField
            label={t('licenses.clock_label')}
            value={draft.clock}
            options={CLOCKS.map((value) => ({ value, title: t(`licenses.clocks.${value}`) }))}
            onValue={(clock) => set({ clock })}
          />
        </Setting>
      )}
      {hasGoods(draft) && (
        <Setting title={t('licenses.goods')}>
          <div className="in-line">
            <TextField
              label={t('licenses.weight')}
              value={draft.weight}
              onValue={(weight) => set({ weight })}
              error={errorAt('physical_weight')}
              maxLength={12}
            />
            <SelectField
              label={t('licenses.weight_unit')}
              value={draft.isInPounds ? 'pounds' : 'grams'}
              options={(['grams', 'pounds'] as const).map((value) => ({
                value,
                title: t(`licenses.weights.${value}`),
              }))}
              onValue={(value) => set({ isInPounds: value === 'pounds' })}
            />
          </div>
        </Setting>
      )}
      <Setting title={t('licenses.taxes')}>
        <SelectField
          label={t('licenses.prices_are')}
          value={draft.isNet ? 'net' : 'gross'}
          options={(['gross', 'net'] as const).map((value) => ({ value, title: t(`licenses.tax.${value}`) }))}
          onValue={(value) => set({ isNet: value === 'net' })}
        />
      </Setting>
      {draft.isProtected && <Outputs {...props} />}
    </Card>
  )
}

function Copies({ draft, set, errorAt }: FieldsProps) {
  const { exports, mayPrint } = draft
  return (
    <Setting title={t('licenses.copies')}>
      <TimesInput
        label={t('licenses.exports')}
        times={exports}
        onTimes={(next) =>
          set({ exports: next, ...(exports.kind === 'none' && { exportsAYear: { kind: 'any', typed: '1' } }) })
        }
        error={errorAt('total_export')}
      />
      {exports.kind !== 'none' && (
        <>
          <TimesInput
            label={t('licenses.exports_a_year')}
            times={draft.exportsAYear}
            onTimes={(exportsAYear) => set({ exportsAYear })}
            error={errorAt('annual_export')}
          />
          <Check
            label={t('licenses.export_books')}
            isOn={draft.mayExportBooks}
            onChange={(mayExportBooks) => set({ mayExportBooks })}
          />
          <Check
            label={t('licenses.export_music')}
            isOn={draft.mayExportMusic}
            onChange={(mayExportMusic) => set({ mayExportMusic })}
          />
        </>
      )}
      <Check label={t('licenses.may_print')} isOn={mayPrint} onChange={(isOn) => set({ mayPrint: isOn })} />
      {mayPrint ? (
        <TimesInput
          label={t('licenses.pages')}
          times={draft.pages}
          onTimes={(pages) => set({ pages })}
          error={errorAt('burn_play')}
          isNeverNone
        />
      ) : (
        <TimesInput
          label={t('licenses.burns')}
          times={draft.burns}
          onTimes={(burns) => set({ burns })}
          error={errorAt('burn_play')}
        />
      )}
    </Setting>
  )
}

/** What players ask the screen and the recorder for. */
function Outputs({ draft: { outputs, levels }, set }: FieldsProps) {
  return (
    <Setting title={t('licenses.outputs')}>
      <details className="outputs">
        <summary>{t('licenses.outputs_about')}</summary>
        <div className="stack">
          {SWITCHES.map((name) => (
            <Check
              key={name}
              label={t(`licenses.output.${name}`)}
              isOn={outputs[name]}
              onChange={(isOn) => set({ outputs: { ...outputs, [name]: isOn } })}
            />
          ))}
          {LEVEL_NAMES.map((name) => (
            <SelectField
              key={name}
              label={t(`licenses.output.${name}`)}
              value={String(levels[name])}
              options={LEVELS[name].map((level) => ({
                value: String(level),
                title: t(`licenses.levels.${levelWords(name)}_${level}` as 'licenses.levels.analog_0'),
              }))}
              onValue={(value) => set({ levels: { ...levels, [name]: Number(value) } })}
            />
          ))}
        </div>
      </details>
    </Setting>
  )
}

export const levelWords = (name: (typeof LEVEL_NAMES)[number]) =>
  name.endsWith('analog') ? 'analog' : name === 'play_prot_level_digital' ? 'play' : 'copy'

/** What customers read beside the terms, in each language. */
export function TextFields({ draft: { texts }, set, errorAt }: FieldsProps) {
  const others = [...LANGUAGES].filter(([id]) => !texts.some(({ language_id }) => language_id === id))
  return (
    <Card
      title={t('licenses.texts')}
      aside={t('licenses.texts_about')}
      end={
        others.length > 0 && (
          <select
            className="input unit"
            aria-label={t('products.add_language')}
            value=""
            onChange={({ target }) =>
              set({ texts: [...texts, { language_id: Number(target.value), name: '', description: '' }] })
            }
          >
            <option value="">{t('products.add_language')}</option>
            {others.map(([id, code]) => (
              <option key={id} value={id}>
                {languageName(code)}
              </option>
            ))}
          </select>
        )
      }
    >
      {texts.length > 0 && (
        <div className="card-body stack">
          {texts.map((text, place) => {
            const language = languageName(LANGUAGES.get(text.language_id) ?? '')
            const change = (part: Partial<typeof text>) => set({ texts: texts.with(place, { ...text, ...part }) })
            return (
              <fieldset key={text.language_id} className="stack">
                <legend className="strong">{language}</legend>
                <TextField
                  label={t('licenses.name_in', { language })}
                  value={text.name}
                  onValue={(name) => change({ name })}
                  error={errorAt(`locales[${place}].name`)}
                />
                <TextArea
                  label={t('licenses.description_in', { language })}
                  value={text.description}
                  onValue={(description) => change({ description })}
                  error={errorAt(`locales[${place}].description`)}
                />
              </fieldset>
            )
          })}
        </div>
      )}
    </Card>
  )
}
