import { defineProblem, type Problem, validationFailed } from '#platform/problem.ts'

export const themeSettingNotFound = defineProblem<string>('not_found', 404, (id) => `There is no theme setting ${id}.`)

/** Says nothing of whose they are: that is nobody else's business. */
export function hostsTaken(fields: readonly string[]): Problem {
  return validationFailed(Object.fromEntries(fields.map((field) => [field, ['is taken']])))
}

export function notSampleLicense(hasProduct: boolean): Problem {
  const fault = hasProduct ? 'is not a license of the sample product' : 'is not a license of this shop'
  return validationFailed({ sample_product_license_id: [fault] })
}

export function notOwnProduct(): Problem {
  return validationFailed({ sample_product_id: ['is not a product of this shop'] })
}
