import '#identity/addresses/errors.ts'
import '#catalog/categories/errors.ts'
import '#shop/checkout/errors.ts'
import '#identity/companies/errors.ts'
import '#catalog/currency-rates/errors.ts'
import '#people/customers/addresses/errors.ts'
import '#people/customers/errors.ts'
import '#selling/discount-codes/errors.ts'
import '#catalog/licenses/errors.ts'
import '#identity/languages/errors.ts'
import '#catalog/marketplace/errors.ts'
import '#apps/oauth/errors.ts'
import '#selling/orders/buyers/errors.ts'
import '#selling/orders/errors.ts'
import '#selling/orders/fulfillments/errors.ts'
import '#selling/orders/refunds/errors.ts'
import '#platform/pages/errors.ts'
import '#catalog/pictures/errors.ts'
import '#platform/errors/errors.ts'
import '#platform/errors/faults.ts'
import '#platform/http/problems.ts'
import '#catalog/prices/errors.ts'
import '#catalog/products/errors.ts'
import '#selling/shipping-methods/errors.ts'
import '#shop/site/errors.ts'
import '#shop/library/reader/errors.ts'
import '#catalog/theme-settings/errors.ts'
import '#identity/users/errors.ts'
import { allRefusals, type Refusal } from '#platform/errors/problem.ts'

/** These hold for every endpoint, so that they come first; the others follow by name. */
const FIRST = ['Any request', 'Any field', 'The service']

function inOrder(one: string, other: string): number {
  const place = (area: string) => (FIRST.includes(area) ? FIRST.indexOf(area) : FIRST.length)
  return place(one) - place(other) || one.localeCompare(other, 'en')
}

function row({ reason, status, code, when, remedy }: Refusal): string {
  const cells = [`\`${reason}\``, status, `\`${code}\``, when, remedy]
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

/** docs/errors.md: every reason, by resource, for those who write apps. */
export function errorsPage(): string {
  const refusals = [...allRefusals().values()]
  const areas = [...new Set(refusals.map(({ area }) => area))].sort(inOrder)
  const sections = areas.map((area) => {
    const rows = refusals.filter((refusal) => refusal.area === area).map(row)
    return `## ${area}

| Reason | Status | Code | When it happens | What to do about it |
|---|---|---|---|---|
${rows.join('\n')}
`
  })
  return `# Errors

Every error answer has a \`reason\`: a word that tells one refusal from another, and that stays the same for ever. Compare it
in your app; show \`error\`, which is a sentence, to people. New reasons can be added, so treat one that your app does not know
by its \`code\`. Where several fields are at fault, the reason is that of the first one in \`errors\`, which \`error\` tells of
too. [The API](interface.md#errors) shows the whole answer. The endpoints of OAuth (\`/token\`, \`/oauth2/revoke\`) answer in
the shape of RFC 6749, without a reason. Refusals that only pages and the command line show are listed too; these show the
sentence alone.

${sections.join('\n')}
<!-- Generated from the errors.ts of every resource by npm run generate. -->
`
}
