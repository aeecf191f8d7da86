const PLACE = 'http://readium.org/license-status-document/error'

/** The types of problems that reading apps know, by our reasons. */
const TYPES: Readonly<Record<string, string>> = {
  reading_device_refused: `${PLACE}/registration`,
  reading_license_returned: `${PLACE}/return/already`,
  reading_license_return_too_late: `${PLACE}/return/expired`,
  reading_license_not_returnable: `${PLACE}/return`,
  reading_license_not_renewable: `${PLACE}/renew`,
  reading_license_end_wrong: `${PLACE}/renew/date`,
  internal_error: `${PLACE}/server`,
}

export function problemType(reason: string): string {
  return TYPES[reason] ?? 'about:blank'
}
