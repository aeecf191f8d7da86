import { testGroup } from './groups.ts'

testGroup('webhooks')
