import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compiledHash } from '../../sandbox/chain/compile.ts'

test('the contracts were compiled since they or their compiler changed (else run sandbox/chain/compile.ts)', () => {
  const file = new URL('../../sandbox/chain/contracts/compiled.sha256', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(`${compiledHash()}\n`)
})
