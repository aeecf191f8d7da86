/** A title in several languages. */
export type Titles = { language_id: string; title: string }[]

export function titleIn(titles: Titles, language: string): string {
  return titles.find(({ language_id }) => language_id === language)?.title ?? ''
}

/** The title in the language of the texts on the screen, or else in any. */
export function anyTitle(titles: Titles, language: string): string {
  return titleIn(titles, language) || (titles.find(({ title }) => title !== '')?.title ?? '')
}

export function withTitle(titles: Titles, language: string, title: string): Titles {
  const others = titles.filter(({ language_id }) => language_id !== language)
  return title === '' ? others : [...others, { language_id: language, title }]
}
