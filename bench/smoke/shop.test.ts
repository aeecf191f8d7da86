import { testGroup } from './groups.ts'

testGroup('shop')
