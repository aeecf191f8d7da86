import type { Customer } from './queries.ts'

/** The name of a customer; the email address of one without a name. */
export function nameOf({ first_name, last_name, email }: Pick<Customer, 'first_name' | 'last_name' | 'email'>): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email
}
