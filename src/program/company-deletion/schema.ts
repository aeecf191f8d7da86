import { type Static, Type } from 'typebox'
import { TypedPassword } from '#identity/sign-in/account/schema.ts'
import { nullable, Time } from '#platform/wire/schema.ts'

export const CompanyDeletion = Type.Object(
  {
    requested_at: nullable(Time('When it was asked for; null: nobody has.')),
    requested_by: nullable(
      Type.String({ description: 'Email address of the user who asked for it; null: nobody has.' }),
    ),
    due_at: Time(
      'When the company is deleted: it can be cancelled until then. If nobody has asked: if somebody did now.',
    ),
    kept_until: Time(
      'Until when orders, invoices, payments and the ledger are kept, because the law asks sellers to. They are deleted then.',
    ),
    wait_days: Type.Integer({ minimum: 0, description: 'Days between the request and the deletion.' }),
  },
  { $id: 'CompanyDeletion' },
)

export const CompanyDeletionInput = Type.Object(
  {
    company_name: Type.String({ maxLength: 1000, description: 'The name of the company, typed to confirm.' }),
    current_password: TypedPassword('The password of the user, once more.'),
    code: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The six digits of the authenticator app, or a recovery code. For users with two-step sign-in.',
      }),
    ),
  },
  {
    $id: 'CompanyDeletionInput',
    examples: [{ company_name: 'Books & Co', current_password: 'correct horse battery' }],
  },
)

export type CompanyDeletion = Static<typeof CompanyDeletion>
export type CompanyDeletionInput = Static<typeof CompanyDeletionInput>
