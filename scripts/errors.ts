import '#addresses/errors.ts'
import '#categories/errors.ts'
import '#checkout/errors.ts'
import '#companies/errors.ts'
import '#currency-rates/errors.ts'
import '#customers/addresses/errors.ts'
import '#customers/errors.ts'
import '#discount-codes/errors.ts'
import '#licenses/errors.ts'
import '#locales/errors.ts'
import '#marketplace/errors.ts'
import '#oauth/errors.ts'
import '#orders/buyers/errors.ts'
import '#orders/errors.ts'
import '#orders/fulfillments/errors.ts'
import '#orders/refunds/errors.ts'
import '#pages/errors.ts'
import '#pictures/errors.ts'
import '#platform/errors.ts'
import '#platform/faults.ts'
import '#platform/http/problems.ts'
import '#prices/errors.ts'
import '#products/errors.ts'
import '#shipping-methods/errors.ts'
import '#storefront/errors.ts'
import '#storefront/reader/errors.ts'
import '#theme-settings/errors.ts'
import '#users/errors.ts'
import { allRefusals, type Refusal } from '#platform/problem.ts'

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
