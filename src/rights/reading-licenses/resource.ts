import type { Resource } from '#platform/resource.ts'
import { PASSPHRASES_PURPOSE } from './passphrases.secrets.ts'
import { readerRoutes } from './reader.routes.ts'
import { issueReadingRoutes, readingLicenseRoutes } from './routes.ts'
import { ReadingLicenseShown, ReadingPassphrase } from './schema.ts'

export const readingLicenses: Resource = {
  tags: [
    {
      name: 'Reading apps',
      description: 'Protected books, PDFs and recordings in reading apps, by the standard Readium LCP.',
    },
  ],
  schemas: [ReadingLicenseShown, ReadingPassphrase],
  routes: [readingLicenseRoutes],
  appRoutes: [issueReadingRoutes],
  rootRoutes: [readerRoutes],
  sealed: [{ table: 'reading_passphrases', column: 'sealed', purpose: PASSPHRASES_PURPOSE }],
}
