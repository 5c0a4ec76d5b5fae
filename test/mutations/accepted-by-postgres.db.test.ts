import { expect, test } from 'vitest'
import { withPostgres } from './accepted-by-postgres.ts'

const functionWith = (condition: string) =>
  `create or replace function is_it(a int) returns boolean language sql set search_path = public as $$ select ${condition} $$`

test('a text that Postgres refuses is told from one that it takes, and neither stays', async () => {
  await withPostgres(async (accepts) => {
    expect(await accepts(functionWith('a = 1'))).toBe(true)
    expect(await accepts(functionWith('a = 1').replace('path =', 'path <>'))).toBe(false)
    expect(await accepts(functionWith('a = = 1'))).toBe(false)
    expect(await accepts('drop function is_it(int)')).toBe(false)
  })
})
