/** The texts that customers agree to. They are stored and mailed as they were shown, so they do not belong to a theme. */
const CONSENT: Readonly<Record<string, string>> = {
  en: 'I agree that delivery starts before the 14-day withdrawal period ends, and I know that I lose my right to withdraw once it starts.',
  de: 'Ich stimme zu, dass die Bereitstellung vor Ablauf der 14-tägigen Widerrufsfrist beginnt, und weiß, dass ich mit dem Beginn mein Widerrufsrecht verliere.',
  fr: 'J’accepte que la fourniture commence avant la fin du délai de rétractation de 14 jours, et je sais que je perds alors mon droit de rétractation.',
  es: 'Acepto que el suministro empiece antes de que acabe el plazo de desistimiento de 14 días, y sé que entonces pierdo mi derecho de desistimiento.',
  it: 'Accetto che la fornitura inizi prima della fine del periodo di recesso di 14 giorni, e so che in tal caso perdo il diritto di recesso.',
  pt: 'Aceito que o fornecimento comece antes do fim do prazo de livre resolução de 14 dias, e sei que, nesse momento, perco o direito de livre resolução.',
}

/** A language without a text of its own gets English. */
export function consentText(language: string): string {
  const primary = language.split('-')[0] ?? ''
  return (Object.hasOwn(CONSENT, primary) ? CONSENT[primary] : undefined) ?? CONSENT.en ?? ''
}
