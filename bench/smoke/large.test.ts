import { testGroup } from './groups.ts'

testGroup('large')
