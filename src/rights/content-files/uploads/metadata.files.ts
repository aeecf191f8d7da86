import { Check } from 'typebox/value'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { uploadMetadataWrong } from '../errors.ts'
import { FileInput } from '../schema.ts'
import type { UploadOptions } from './tus.files.ts'

/** The metadata of an upload has the fields of a create; clients of the protocol say `filename` for the name. */
export const readInput: UploadOptions['readInput'] = (metadata, size) => {
  const { product_id, filename, name = filename, role, language } = metadata
  const input = { product_id, name, size, ...(role ? { role } : {}), ...(language ? { language } : {}) }
  if (!Check(FileInput, input)) throw uploadMetadataWrong()
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
  return input
}
