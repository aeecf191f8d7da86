import { TextField } from '../ui/forms/fields.tsx'
import { RichText } from '../ui/forms/rich-text.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { Accent } from './accent.tsx'
import { Languages, type PartProps, textsIn } from './languages.tsx'
import { Logo } from './logo.tsx'

/** What the shop is called, what it is about, and its colour. */
export function Design(props: PartProps) {
  const { draft, set, errorAt } = props
  const { texts, write, wrong } = textsIn(props)
  return (
    <>
      <Card title={t('shop.name_card')} end={<Languages {...props} />}>
        <div className="card-body stack">
          <TextField
            label={t('shop.name')}
            value={texts.shop_name}
            onValue={write('shop_name')}
            error={wrong('shop_name')}
          />
          <RichText
            key={`${props.language} description`}
            label={t('shop.description')}
            hint={t('shop.description_hint')}
            value={texts.shop_description}
            onValue={write('shop_description')}
            error={wrong('shop_description')}
          />
        </div>
      </Card>
      <Card title={t('shop.look')}>
        <div className="card-body stack">
          <Logo address={draft.shop_icon} onAddress={(shop_icon) => set({ shop_icon })} error={errorAt('shop_icon')} />
          <Accent
            colour={draft.accent_color}
            onColour={(accent_color) => set({ accent_color })}
            error={errorAt('accent_color')}
          />
        </div>
      </Card>
      <Card title={t('shop.found')}>
        <div className="card-body stack">
          <TextField
            label={t('shop.seo_title')}
            value={texts.seo_title}
            onValue={write('seo_title')}
            error={wrong('seo_title')}
          />
          <TextField
            label={t('shop.seo_description')}
            hint={t('shop.seo_hint')}
            value={texts.seo_description}
            onValue={write('seo_description')}
            error={wrong('seo_description')}
            maxLength={1000}
          />
        </div>
      </Card>
    </>
  )
}
