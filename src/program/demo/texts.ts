/** The pages of the demo shop. Nobody should take them for the texts of a real shop, or copy them for one. */
export const ENGLISH_TEXTS = {
  about: '<p>This is a demo. Nobody runs this shop, and nothing in it exists.</p>',
  imprint: '<p>Licet Demo Shop<br>Musterstraße 1<br>10115 Berlin</p><p>This company is made up.</p>',
  terms: '<h2>1. Demo</h2><p>These terms are an example. Nothing here is sold, and no money moves.</p>',
  withdrawal: '<p>This text is an example. A real shop explains here how customers withdraw from a purchase.</p>',
  privacy: '<p>This text is an example. A real shop says here which personal data it has, and why.</p>',
}

export const GERMAN_TEXTS = {
  about: '<p>Das ist eine Demo. Niemand betreibt diesen Shop, und nichts darin gibt es wirklich.</p>',
  imprint: '<p>Licet Demo-Shop<br>Musterstraße 1<br>10115 Berlin</p><p>Dieses Unternehmen ist erfunden.</p>',
  terms: '<h2>1. Demo</h2><p>Diese AGB sind ein Beispiel. Hier wird nichts verkauft, und es fließt kein Geld.</p>',
  withdrawal: '<p>Dieser Text ist ein Beispiel. Ein echter Shop erklärt hier, wie man einen Kauf widerruft.</p>',
  privacy: '<p>Dieser Text ist ein Beispiel. Ein echter Shop sagt hier, welche Daten er hat und wozu.</p>',
}
