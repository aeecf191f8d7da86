import type { TelemetrySettings } from '../settings/telemetry-settings.ts'
import type { ExportingParts } from './opentelemetry.ts'

/** Begins to send traces and metrics where a setting asks for them. Elsewhere nothing is loaded. */
export async function startTelemetry(
  settings: TelemetrySettings | undefined,
  version: string,
): Promise<ExportingParts | undefined> {
  if (settings === undefined) return undefined
  const { startExporting } = await import('./opentelemetry.ts')
  return startExporting(settings, version)
}
