/** Every topic, and the data of its event. */
export type Topics = {
  'customer/create': { type: 'customer'; id: string; token: string }
  'customer/update': { type: 'customer'; id: string; token: string }
  'subscriber/create': { type: 'subscriber'; id: string }
  'subscriber/update': { type: 'subscriber'; id: string }
  'groupmember/create': { type: 'groupmember'; id: string }
  'groupmember/update': { type: 'groupmember'; id: string }
  'newsrecipient/create': { type: 'newsrecipient'; id: string }
  'newsrecipient/update': { type: 'newsrecipient'; id: string }
  'entitlement/update': { type: 'entitlement'; id: string; token: string }
  'order/create': { type: 'order'; id: string }
  'order/update': { type: 'order'; id: string }
  'product/create': { type: 'product'; id: string; long_id: string }
  'product/update': { type: 'product'; id: string; long_id: string }
  'product/delete': { type: 'product'; id: string; long_id: string }
  'app/uninstalled': { type: 'app'; id: string }
  'app/update': { type: 'app'; id: string }
}

export type Topic = keyof Topics

/** An example of each, which shows every topic and what a test event carries. */
export const EXAMPLES: Topics = {
  'customer/create': { type: 'customer', id: '1001', token: 'TNFEQBBVTEDXLUPN' },
  'customer/update': { type: 'customer', id: '1001', token: 'TNFEQBBVTEDXLUPN' },
  'subscriber/create': { type: 'subscriber', id: '1001' },
  'subscriber/update': { type: 'subscriber', id: '1001' },
  'groupmember/create': { type: 'groupmember', id: '1001' },
  'groupmember/update': { type: 'groupmember', id: '1001' },
  'newsrecipient/create': { type: 'newsrecipient', id: '1001' },
  'newsrecipient/update': { type: 'newsrecipient', id: '1001' },
  'entitlement/update': { type: 'entitlement', id: '1001', token: 'TNFEQBBVTEDXLUPN' },
  'order/create': { type: 'order', id: '1001' },
  'order/update': { type: 'order', id: '1001' },
  'product/create': { type: 'product', id: '1001', long_id: '0001-26ED-EA4F-AA32' },
  'product/update': { type: 'product', id: '1001', long_id: '0001-26ED-EA4F-AA32' },
  'product/delete': { type: 'product', id: '1001', long_id: '0001-26ED-EA4F-AA32' },
  'app/uninstalled': { type: 'app', id: '1001' },
  'app/update': { type: 'app', id: '1001' },
}

export const TOPICS: readonly string[] = Object.keys(EXAMPLES)

export function isTopic(text: string): text is Topic {
  return Object.hasOwn(EXAMPLES, text)
}

/** The topic as it is stored and sent; clients also write the plural, `orders/create`. Undefined if there is none. */
export function findTopic(text: string): Topic | undefined {
  const [, noun = '', verb = ''] = /^([a-z]+?)s?\/([a-z]+)$/.exec(text.trim()) ?? []
  const topic = `${noun}/${verb}`
  return isTopic(topic) ? topic : undefined
}
