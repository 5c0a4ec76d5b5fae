import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { keepWithin, keptBytes } from '../../api/kept-bytes.ts'
import type { ReadonlyDb } from '../../db/schema.ts'

const MAX_BYTES = 64 * 1024
const answer = (version: string) => ({ version, bytes: Buffer.alloc(20 * 1024, version) })

test('databases share one budget, whose metrics hold, and what was asked least recently goes first', async () => {
  const [primary, replica] = [{}, {}] as [ReadonlyDb, ReadonlyDb]
  const registry = new Registry()
  keepWithin({ maxBytes: MAX_BYTES, dbs: [primary, replica], registry })
  keptBytes(primary).set('a', answer('1'))
  keptBytes(replica).set('a', answer('2'))
  keptBytes(primary).set('b', answer('3'))
  expect([keptBytes(primary).get('a')?.version, keptBytes(replica).get('a')?.version]).toEqual(['1', '2'])
  keptBytes(replica).set('c', answer('4'))
  expect(keptBytes(primary).get('b')).toBeUndefined()
  expect(keptBytes(primary).get('a')?.version).toBe('1')
  const metric = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]!.value
  expect(await metric('sluice_kept_answers')).toBe(3)
  expect(await metric('sluice_kept_answer_bytes_max')).toBe(MAX_BYTES)
  const bytes = await metric('sluice_kept_answer_bytes')
  expect(bytes).toBeGreaterThan(3 * 20 * 1024)
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
})
