import { type Static, Type } from 'typebox'
import { Id, Text, Time } from '#platform/wire/schema.ts'
import { Device as DeviceId } from '../schema.ts'

const NAME_MAX = 100

export const Device = Type.Object(
  {
    id: Id('Id of the device.'),
    device_id: DeviceId,
    name: Text(NAME_MAX, 'Name that the customer gave it.', ['Living room']),
    created_at: Time('When it was first used or registered.'),
    last_seen_at: Time('When it was last used.'),
  },
  { $id: 'Device' },
)

export const NewDeviceInput = Type.Object({
  device_id: DeviceId,
  name: Type.Optional(Text(NAME_MAX, 'Name for the customer.')),
})

export const DeviceInput = Type.Object({ name: Text(NAME_MAX, 'Name for the customer.') })

export type Device = Static<typeof Device>
export type NewDeviceInput = Static<typeof NewDeviceInput>
export type DeviceInput = Static<typeof DeviceInput>
