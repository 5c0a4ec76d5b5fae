import { afterAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { readDueTokens } from '../../db/risk/read-for-ingest.ts'
import { readRiskTokens, readTokenRisks } from '../../db/risk/read-token-risks.ts'
import { type CheckedToken, storeRisks } from '../../db/risk/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { address } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))

const NOW = new Date('2026-03-10T00:00:00Z')
const LATER = new Date('2026-03-11T00:00:00Z')
const token = <Chain extends string>(blockchain: Chain, n: number) => ({ blockchain, address: address(n) })
const risk = (detected: string[]) => ({
  facts: { detected },
  detected,
  clear: [] as string[],
  score: 7,
  marketEndorsed: true,
  ownershipRenounced: null,
})
const store = (checkedAt: Date, ...tokens: CheckedToken[]) =>
  transact(pool, (trx) => storeRisks(trx, { tokens, source: 'test', checkedAt }))
const due = async (chains: ('ethereum' | 'base')[], before: Date, limit = 9) =>
  (await readDueTokens(db, { chains, before, limit })).map(
    (one) => `${one.blockchain} ${Number(one.address)}`,
  )

test('due are unchecked tokens by the rank of their coins, then those that were checked longest ago', async () => {
  const coin = (id: string, rank: number | null, ...contracts: ReturnType<typeof token>[]) =>
    insertCoin(db, { id, rank, at: NOW, contracts: contracts.map((one) => ({ ...one, decimals: 18 })) })
  await coin('second', 2, token('ethereum', 1), token('base', 1))
  await coin('first', 1, token('ethereum', 2))
  await coin('unranked', null, token('ethereum', 3))
  await insertCoin(db, {
    id: 'odd',
    rank: 3,
    at: NOW,
    contracts: [{ blockchain: 'ethereum', address: 'native', decimals: 18 }],
  })
  await insertCoin(db, {
    id: 'gone',
    rank: 4,
    at: NOW,
    delistedAt: NOW,
    contracts: [{ ...token('ethereum', 4), decimals: 18 }],
  })
  expect(await due(['ethereum'], LATER)).toEqual(['ethereum 2', 'ethereum 1', 'ethereum 3'])
  expect(await due(['ethereum', 'base'], LATER)).toEqual(['ethereum 2', 'base 1', 'ethereum 1', 'ethereum 3'])
  expect(await due(['ethereum'], LATER, 1)).toEqual(['ethereum 2'])
  await store(LATER, { ...token('ethereum', 2), assessment: risk([]) })
  // One that no list has, but somebody asked for.
  await store(
    NOW,
    { ...token('ethereum', 9), assessment: null },
    { ...token('ethereum', 1), assessment: risk([]) },
  )
  expect(await due(['ethereum'], LATER)).toEqual(['ethereum 3', 'ethereum 1', 'ethereum 9'])
  expect(await due(['ethereum'], NOW)).toEqual(['ethereum 3'])
  expect(await due(['ethereum'], new Date(LATER.getTime() + 1))).toEqual([
    'ethereum 3',
    'ethereum 1',
    'ethereum 9',
    'ethereum 2',
  ])
})

test('results are those of the tokens that are asked for, as pairs; one without a result keeps the earlier one', async () => {
  await store(
    NOW,
    { ...token('ethereum', 21), assessment: risk(['a']) },
    { ...token('base', 21), assessment: risk(['b']) },
    { ...token('ethereum', 22), assessment: risk(['c']) },
  )
  const read = async (...tokens: RiskToken[]) =>
    (await readTokenRisks(reader.db, tokens)).map((one) => [one.detected.join(), one.known])
  expect(await read(token('ethereum', 21))).toEqual([['a', true]])
  expect(await read(token('base', 21), token('base', 22))).toEqual([['b', true]])
  await store(
    LATER,
    { ...token('ethereum', 21), assessment: null },
    { ...token('ethereum', 22), assessment: risk(['d']) },
  )
  const [kept] = await readTokenRisks(reader.db, [token('ethereum', 21)])
  expect(kept).toMatchObject({ known: true, detected: ['a'], score: 7, fetchedAt: NOW, checkedAt: LATER })
  const [renewed] = await readTokenRisks(reader.db, [token('ethereum', 22)])
  expect(renewed).toMatchObject({ known: true, detected: ['d'], fetchedAt: LATER, checkedAt: LATER })
  expect(await read(token('base', 21))).toEqual([['b', true]])
})

test('tokens of a coin: its contracts that can be checked; none of other coins, null for an unknown coin', async () => {
  const contracts = [token('base', 31), token('ethereum', 32), token('ethereum', 31), token('near', 31)]
  const odd = { blockchain: 'ethereum', address: 'odd' }
  await insertCoin(db, {
    id: 'several',
    at: NOW,
    contracts: [...contracts, odd].map((one) => ({ ...one, decimals: 18 })),
  })
  await insertCoin(db, { id: 'none', at: NOW })
  expect(await readRiskTokens(reader.db, 'several')).toEqual([
    token('ethereum', 31),
    token('ethereum', 32),
    token('base', 31),
  ])
  expect(await readRiskTokens(reader.db, 'none')).toEqual([])
  expect(await readRiskTokens(reader.db, 'unknown')).toBeNull()
})
