import { testGroup } from './groups.ts'

testGroup('statistics')
