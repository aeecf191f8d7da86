import { Link } from '@tanstack/react-router'
import { t } from '../words/words.ts'

/** The way to the customer with the address, if there is one. */
export function CustomerLink({
  of: { customer_token, email },
}: {
  of: { customer_token: string | null; email: string }
}) {
  if (customer_token === null) return <span className="muted">{t('audience.no_customer')}</span>
  return (
    <Link
      to="/customers/$token"
      params={{ token: customer_token }}
      aria-label={t('audience.open_customer_of', { email })}
    >
      {t('audience.open_customer')}
    </Link>
  )
}
