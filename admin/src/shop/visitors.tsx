import { Check, TextArea, TextField } from '../ui/forms/fields.tsx'
import { RichText } from '../ui/forms/rich-text.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { SwitchName } from './draft.ts'
import { Languages, type PartProps, textsIn } from './languages.tsx'

/** Whether the shop is open, and what visitors may do there. */
export function Visitors(props: PartProps) {
  const { draft, set, errorAt } = props
  const { texts, write, wrong } = textsIn(props)
  const check = (name: SwitchName, isDisabled = false) => (
    <Check
      label={t(`shop.switches.${name}`)}
      isOn={draft[name]}
      isDisabled={isDisabled}
      onChange={(isOn) => set({ [name]: isOn })}
    />
  )
  return (
    <>
      <Card title={t('shop.closing')} end={draft.shop_offline ? <Languages {...props} /> : undefined}>
        <div className="card-body stack">
          {check('shop_offline')}
          <p className="hint">{t('shop.closing_text')}</p>
          {draft.shop_offline && (
            <RichText
              key={`${props.language} offline`}
              label={t('shop.offline_message')}
              value={texts.offline_message}
              onValue={write('offline_message')}
              error={wrong('offline_message')}
            />
          )}
        </div>
      </Card>
      <Card title={t('shop.reviews')}>
        <div className="card-body stack">
          {check('allow_reviews')}
          {check('need_approval_of_reviews', !draft.allow_reviews)}
          {check('allow_anonymous_reviews', !draft.allow_reviews)}
          {check('send_email_on_new_review', !draft.allow_reviews)}
        </div>
      </Card>
      <Card title={t('shop.contact')}>
        <div className="card-body stack">
          {check('newsletter_enabled')}
          <TextField
            label={t('shop.reminder')}
            hint={t('shop.reminder_hint')}
            value={draft.reminderHours}
            onValue={(typed) => set({ reminderHours: typed.replace(/\D/g, '') })}
            error={errorAt('cart_reminder_hours')}
            maxLength={3}
          />
        </div>
      </Card>
      <Card title={t('shop.player')}>
        <div className="card-body stack">
          {check('player_watermark')}
          <p className="hint">{t('shop.watermark_hint')}</p>
        </div>
      </Card>
      <Card title={t('shop.frames')}>
        <div className="card-body">
          <TextArea
            label={t('shop.origins')}
            hint={t('shop.origins_hint')}
            value={draft.origins}
            onValue={(origins) => set({ origins })}
            error={errorAt('frame_origins') ?? errorAt('frame_origins[0]')}
          />
        </div>
      </Card>
    </>
  )
}
