import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROLES } from '../../db/pnl/legs/roles.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/figures.md'), 'utf8')

test('docs/figures.md describes every role as the table does', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| [^|]+ \| (\w[^|]*?) +\| (\w[^|]*?) +\| (\w+) +\|$/gm)]
  const told = rows.map(([, role, flow, basis, income]) => [role, { flow, basis, income }])
  const yes = (is: boolean) => (is ? 'yes' : 'no')
  const meant = Object.entries(ROLES).map(([role, { counts, flow, basis, income }]) => [
    role,
    counts ? { flow, basis, income: yes(income) } : { flow: 'left out', basis: 'left out', income: 'no' },
  ])
  expect(told).toEqual(meant)
})
