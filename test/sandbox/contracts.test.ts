import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileContracts } from '../../sandbox/chain/compile.ts'

test('compiled.json equals the compiled contracts (else run sandbox/chain/compile.ts)', () => {
  const file = new URL('../../sandbox/chain/contracts/compiled.json', import.meta.url)
  expect(compileContracts()).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})
