import { testGroup } from './groups.ts'

testGroup('api')
