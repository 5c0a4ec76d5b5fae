import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'

const afterOf = (file: string, text: string) =>
  mutantsOf(file, text).map(({ line, after }) => `${line}: ${after.trim()}`)

test('changes one condition, sum or SQL keyword at a time', () => {
  expect(afterOf('a.ts', 'const is = (a: number, b: number) => a > b && a + b === 3')).toEqual([
    '1: const is = (a: number, b: number) => a > b && a + b !== 3',
    '1: const is = (a: number, b: number) => a <= b && a + b === 3',
    '1: const is = (a: number, b: number) => a > b || a + b === 3',
    '1: const is = (a: number, b: number) => a > b && a - b === 3',
  ])
  expect(afterOf('a.sql', 'select 1 where a is null and not exists (select)')).toEqual([
    '1: select 1 where a is not null and not exists (select)',
    '1: select 1 where a is null and exists (select)',
    '1: select 1 where a is null or not exists (select)',
  ])
  expect(afterOf('a.sql', 'create or replace view a as select 1')).toEqual([])
  expect(afterOf('a.ts', 'const q = sql`\n  select * from a`')).toEqual([])
  expect(afterOf('a.sql', 'update a set b = 1 where c = 2')).toEqual(['1: update a set b = 1 where c <> 2'])
  expect(afterOf('a.ts', 'const q = sql`\n  select 1 order by at desc`')).toEqual([
    '2: select 1 order by at asc`',
  ])
})

test('negates a condition, but not the side of a comparison, which the compiler would refuse', () => {
  expect(afterOf('a.ts', 'if (has(a)) b()')).toEqual(['1: if (!has(a)) b()'])
  expect(afterOf('a.ts', 'if (has(a) && b === c) d()')).toContain('1: if (!has(a) && b === c) d()')
  expect(afterOf('a.ts', 'if (a === b) c()')).toEqual(['1: if (a !== b) c()'])
  expect(afterOf('a.ts', 'if ((await a(b)) > 2) c()')).toEqual(['1: if ((await a(b)) <= 2) c()'])
})

test('does not change comments, types, messages and imports', () => {
  const text = [
    `import { a } from './a && b.ts'`,
    '// a && b',
    '/** a < b */',
    'type Both = { is: true } & { other: false }',
    `throw new Error('a < b')`,
    `const text = 'this and that'`,
    'const price = Map<string, number>',
  ].join('\n')
  expect(afterOf('a.ts', text)).toEqual([])
})
