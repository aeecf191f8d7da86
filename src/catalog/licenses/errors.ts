import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Licenses')

export const licenseNotFound = defineProblem<string>('license_not_found', {
  code: 'not_found',
  message: (id) => `There is no license ${id}.`,
  when: 'The license does not exist, or belongs to another company.',
  remedy: 'Read the list of licenses for their ids.',
})

export const licenseIsGeneral = defineProblem<string>('license_is_general', {
  code: 'forbidden',
  message: (name) => `"${name}" is a license of all shops and can't be changed by one.`,
  when: 'The request changes a license that comes with the service.',
  remedy: 'Use a license of the company with the terms that you need.',
})

export const licenseInUse = defineProblem<{ name: string; products: number }>('license_in_use', {
  code: 'conflict',
  message: ({ name, products }) =>
    `${products === 1 ? '1 product is' : `${products} products are`} sold under "${name}": give ${products === 1 ? 'it' : 'them'} another license first.`,
  when: 'The request deletes a license that products name.',
  remedy: 'Take the license out of the products first, or change its terms.',
})

export const physicalContradictsType = defineFault<{ physical: number; type: number }>('license_physical_wrong', {
  message: ({ physical, type }) => `must be ${physical} with the type ${type}`,
  when: '`physical` contradicts the type of the license.',
  remedy: 'Leave `physical` out: it follows from `type`.',
})

export const regionUnknown = defineFault('dvd_region_unknown', {
  message: 'is not a region',
  when: 'A restriction names a DVD region that does not exist.',
  remedy: 'Send one of the regions in the reference.',
})
