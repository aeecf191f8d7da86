import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import type { S3Settings } from '../files/s3-files.ts'

/** The settings of where files are stored, and of how large ones come in and go out. */
export const TRANSFER_SETTINGS = {
  LICET_UPLOAD_MAX_BYTES: Type.Integer({
    default: 21_474_836_480,
    minimum: 1_048_576,
    maximum: 1_099_511_627_776,
    description: 'Maximum size of a content file. The default is 20 GiB.',
  }),
  LICET_ACCEL_PATH: Type.Optional(
    Type.String({
      format: 'location',
      description:
        'Internal location of nginx, such as `/licet-files/`, that maps to LICET_DATA. If set, nginx sends the content files, by `X-Accel-Redirect`, and the service only decides who gets them. Not with LICET_S3_BUCKET.',
    }),
  ),
  LICET_S3_BUCKET: Type.Optional(
    Type.String({
      minLength: 3,
      description:
        'Bucket of S3, or of a server that speaks its protocol, for content files and pictures. Machines that share a database need one. If not set: files are stored under LICET_DATA.',
    }),
  ),
  LICET_S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Region of the bucket.' }),
  LICET_S3_ENDPOINT: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Address of a server that speaks the protocol of S3. If not set: the one of Amazon for the region.',
    }),
  ),
  LICET_S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Access key for the bucket. If not set: what the machine offers, such as the role of an instance.',
    }),
  ),
  LICET_S3_ACCESS_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'Secret that belongs to LICET_S3_ACCESS_KEY_ID.' }),
  ),
}

const Raw = Type.Object(TRANSFER_SETTINGS)
type Raw = Static<typeof Raw>

/** How large files come in and go out. */
export type TransferSettings = {
  /** Where uploads are collected until they are complete. The name begins with a dot, so that backups leave it out. */
  uploadFolder: string
  uploadBytesMax: number
  /** The internal location of nginx that sends the files. Absent: the service sends them. */
  accelPath: string | undefined
}

export function uploadFolderIn(dataFolder: string): string {
  return join(dataFolder, '.uploads')
}

export function readTransfers(raw: Raw, dataFolder: string): TransferSettings {
  return {
    uploadFolder: uploadFolderIn(dataFolder),
    uploadBytesMax: raw.LICET_UPLOAD_MAX_BYTES,
    accelPath: raw.LICET_ACCEL_PATH,
  }
}

/** A key without its secret is a mistake, and so is nginx for files that are not on its disk. */
export function readS3(raw: Raw, mistakes: string[]): S3Settings | undefined {
  const { LICET_S3_BUCKET: bucket, LICET_S3_ACCESS_KEY_ID: accessKeyId, LICET_S3_ACCESS_SECRET: secret } = raw
  if ((accessKeyId === undefined) !== (secret === undefined))
    mistakes.push('LICET_S3_ACCESS_KEY_ID and LICET_S3_ACCESS_SECRET must be set together.')
  if (bucket === undefined) return undefined
  if (raw.LICET_ACCEL_PATH !== undefined)
    mistakes.push('LICET_ACCEL_PATH must not be set with LICET_S3_BUCKET: nginx cannot send files from a bucket.')
  return {
    bucket,
    region: raw.LICET_S3_REGION,
    endpoint: raw.LICET_S3_ENDPOINT,
    credentials:
      accessKeyId === undefined || secret === undefined ? undefined : { accessKeyId, secretAccessKey: secret },
  }
}
