import { createFiles, type Files } from '#platform/files/files.ts'
import { createS3Files } from '#platform/files/s3-files.ts'
import type { Config } from '#platform/settings/config.ts'

/** Opens the store of files that the settings name: a bucket, or the data folder. */
export function openFiles({ s3, dataFolder }: Pick<Config, 's3' | 'dataFolder'>): Files {
  return s3 === undefined ? createFiles(dataFolder) : createS3Files(s3)
}
