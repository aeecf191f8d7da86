import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { RichText } from '../ui/forms/rich-text.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { PAGES } from './draft.ts'
import { Languages, type PartProps, textsIn } from './languages.tsx'
import { templateOf } from './templates.ts'

/** The pages that the law asks for, and who runs the shop. */
export function Pages(props: PartProps) {
  const { company } = useSession()
  const { texts, write, wrong } = textsIn(props)
  return (
    <>
      <p className="notice">{t('shop.pages_about')}</p>
      <Languages {...props} />
      {PAGES.map((page) => {
        const template = templateOf(page, company.company_name, props.language)
        return (
          <Card
            key={`${props.language} ${page}`}
            title={t(`shop.pages.${page}`)}
            end={
              texts[page] === '' ? (
                <Chip tone="draft">{t('shop.no_page')}</Chip>
              ) : (
                <Chip tone="ok">{t('shop.has_page')}</Chip>
              )
            }
          >
            <div className="card-body stack">
              <RichText
                label={t('shop.page_text', { page: t(`shop.pages.${page}`) })}
                value={texts[page]}
                onValue={write(page)}
                error={wrong(page)}
              />
              {texts[page] === '' && template !== undefined && (
                <div className="actions">
                  <Button onClick={() => write(page)(template)}>{t('shop.use_template')}</Button>
                </div>
              )}
            </div>
          </Card>
        )
      })}
    </>
  )
}
