import type { Resource } from '#platform/resource.ts'
import { deviceLicenseRoutes, offlineAppRoutes } from './routes.ts'
import { DeviceLicenseShown, IssuedDeviceLicense } from './schema.ts'

export const deviceLicenses: Resource = {
  tags: [
    {
      name: 'Offline apps',
      description:
        'Protected films and recordings in apps that play without a connection: licenses of devices, and downloads.',
    },
  ],
  schemas: [DeviceLicenseShown, IssuedDeviceLicense],
  routes: [deviceLicenseRoutes],
  appRoutes: [offlineAppRoutes],
}
