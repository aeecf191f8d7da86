/** Every topic, and the data of its event. */
export type Topics = {
  'customer/create': { type: 'customer'; id: string; token: string }
  'customer/update': { type: 'customer'; id: string; token: string }
  'order/create': { type: 'order'; id: string }
  'product/create': { type: 'product'; id: string; long_id: string }
  'product/update': { type: 'product'; id: string; long_id: string }
  'product/delete': { type: 'product'; id: string; long_id: string }
  'app/uninstalled': { type: 'app'; id: string }
  'app/update': { type: 'app'; id: string }
}

export type Topic = keyof Topics
