import { testGroup } from './groups.ts'

testGroup('protected')
