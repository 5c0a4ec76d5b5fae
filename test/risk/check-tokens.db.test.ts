import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { createGoPlus } from '../../activities/risk/sources/goplus.ts'
import { getTokenRisks } from '../../api/risk/get-token-risks.ts'
import type { RiskToken } from '../../db/risk/chains.ts'
import { tokens as sandboxTokens } from '../../sandbox/chain/tokens.ts'
import { nameless, scam, usdc } from '../../sandbox/solana/tokens.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startReplay } from '../setup/replay.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

const database = await testDatabase()
const { deps, faults, clock, url } = await startSandboxWorld(database)
const risks = createRiskActivities(deps)
const api = await startApi({
  database,
  routes: [getTokenRisks],
  overrides: { now: () => new Date(clock.nowMs) },
})
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000 })
const report = endpoint(api, { route: getTokenRisks, key })

const addressOf = (name: string, network = 'ethereum') =>
  sandboxTokens.find((token) => token.key === name && token.network === network)!.address
const token = (name: string): RiskToken => ({ blockchain: 'ethereum', address: addressOf(name) })
const rows = (sql: string) => query<Record<string, unknown>>(database.ownerUrl, sql)
const outbox = () => rows('select workflow, workflow_id, input from outbox order by id')
const ofContract = (name: string, more = '') =>
  `/token-risks?chain=ethereum&contractAddress=${addressOf(name)}${more}`

beforeEach(async () => {
  faults.clear()
  await rows('truncate token_risks, outbox, quarantine, coins cascade')
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
})

describe('from the source to the report', () => {
  test('reports rights of the issuer, score and owner', async () => {
    expect(await risks.checkTokens({ tokens: [token('USDC')] })).toEqual({
      checked: 1,
      known: 1,
      quarantined: 0,
    })
    const { body, headers, credits } = await report(ofContract('USDC'))
    const found = body.results.filter((r: { value: string }) => r.value === 'true')
    expect(found.map((r: { title: string }) => r.title)).toEqual([
      'Centralized Mint',
      'Blacklist',
      'Pausable',
      'Upgradeable Contract',
    ])
    expect(body.results.slice(0, found.length)).toEqual(found)
    expect(body).toMatchObject({
      score: 48,
      marketEndorsed: true,
      ownershipRenounced: false,
      risksProviderUrl: `https://gopluslabs.io/token-security/1/${addressOf('USDC')}`,
    })
    expect(credits).toBe(5000)
    expect(headers.get('x-data-as-of')).toBe(new Date(clock.nowMs).toISOString())
    expect(await outbox()).toEqual([])
    const graded = (await report(ofContract('USDC', '&sortBy=severity'))).body.results
    expect(graded[0]).toMatchObject({ severity: 'critical', value: 'false' })
  })

  test('leaves out most checks of unpublished code instead of clearing them', async () => {
    await risks.checkTokens({ tokens: [token('SPAM1'), token('NODEC')] })
    const spam = (await report(ofContract('SPAM1'))).body
    expect(spam.results.map((r: { key: string; value: string }) => [r.key, r.value])).toEqual([
      ['risk_airdrop_scam', 'true'],
      ['risk_unverified_source', 'true'],
    ])
    expect(spam.score).toBe(95)
    const unknown = (await report(ofContract('NODEC'))).body
    expect(unknown.results.map((r: { key: string }) => r.key)).toEqual(['risk_unverified_source'])
    for (const field of ['score', 'marketEndorsed', 'ownershipRenounced'])
      expect(unknown).not.toHaveProperty(field)
  })

  test('a token that is not indexed has an empty report with the time of the check', async () => {
    expect(await risks.checkTokens({ tokens: [token('FERN')] })).toMatchObject({ checked: 1, known: 0 })
    const { body, headers } = await report(ofContract('FERN'))
    expect(body).toEqual({ results: [] })
    expect(headers.get('x-data-as-of')).toBe(new Date(clock.nowMs).toISOString())
    expect(await outbox()).toEqual([])
  })

  test('a token that its source no longer knows keeps its result with the earlier time', async () => {
    await risks.checkTokens({ tokens: [token('USDC')] })
    const before = new Date(clock.nowMs).toISOString()
    clock.nowMs += 3_600_000
    const replay = await startReplay([
      {
        source: 'goplus',
        method: 'GET',
        status: 200,
        contentType: 'application/json',
        path: `/api/v1/token_security/1?contract_addresses=${addressOf('USDC')}`,
        text: '{"code":1,"message":"OK","result":{}}',
      },
    ])
    const config = {
      ...deps.config,
      sources: { goplus: { ...deps.config.sources['goplus']!, url: replay.url } },
    }
    const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
    const http = createHttpClient({ gate, sources: config.sources, random: () => 0 })
    await createRiskActivities({ ...deps, config, http }).checkTokens({ tokens: [token('USDC')] })
    const { body, headers } = await report(ofContract('USDC'))
    expect(body.score).toBe(48)
    expect(headers.get('x-data-as-of')).toBe(before)
    expect(await rows('select checked_at > fetched_at as later from token_risks')).toEqual([{ later: true }])
    await http.close()
    replay.close()
  })

  test('waits for a rate limit with status 200; quarantines a refused token and checks the others', async () => {
    faults.add({ source: 'goplus', kind: 'rate_limit', count: 1 })
    const bad = { blockchain: 'ethereum', address: '0xnothing' } as const
    expect(await risks.checkTokens({ tokens: [bad, token('USDC')] })).toEqual({
      checked: 2,
      known: 1,
      quarantined: 1,
    })
    expect(await rows('select source, area, reason, payload from quarantine')).toEqual([
      {
        source: 'goplus',
        area: 'risk',
        reason: 'goplus: code 2004: Contract address format error!',
        payload: bad,
      },
    ])
    faults.add({ source: 'goplus', kind: 'error', count: 3 })
    await expect(risks.checkTokens({ tokens: [token('USDT')] })).rejects.toThrow('goplus: status 500')
  })

  test('a Solana mint has findings, no clear checks and the score of its source; an unindexed mint is empty', async () => {
    const mints = [usdc, scam, nameless].map(({ mint }) => ({ blockchain: 'solana', address: mint }) as const)
    faults.add({ source: 'rugcheck', kind: 'malformed', count: 1 })
    expect(await risks.checkTokens({ tokens: mints })).toEqual({ checked: 3, known: 2, quarantined: 0 })
    for (const [i, id] of ['usd-coin', 'gift', 'nameless'].entries())
      await insertCoin(api.owner, {
        id,
        at: new Date(),
        contracts: [{ ...mints[i]!, decimals: null }],
      })
    const coin = (await report('/token-risks?coinId=usd-coin')).body
    expect(coin.results.map((r: { key: string; value: string }) => `${r.key} ${r.value}`)).toEqual([
      'risk_centralized_mint true',
      'risk_blacklist true',
      'risk_mutable_metadata true',
    ])
    expect(coin).toMatchObject({ score: 68, risksProviderUrl: `https://rugcheck.xyz/tokens/${usdc.mint}` })
    expect((await report('/token-risks?coinId=gift')).body.results[0].title).toBe('Copycat')
    expect((await report('/token-risks?coinId=nameless')).body).toEqual({ results: [] })
    // A mint that is not indexed does not count as a failure of the source.
    expect(await rows(`select last_failure from source_states where source = 'rugcheck'`)).toEqual([
      { last_failure: expect.stringMatching(/^rugcheck: no JSON/) },
    ])
  })

  test('with a key, sends up to a hundred tokens in one signed call', async () => {
    const goplus = (keyText: string) =>
      createGoPlus({ http: deps.http, url: `${url}/goplus`, key: keyText, now: deps.now })
    const keyed = goplus('sandbox:sandbox-secret')
    const addresses = ['USDC', 'USDT', 'FERN'].map((name) => addressOf(name))
    const facts = await keyed.tokenFacts({ blockchain: 'ethereum', addresses })
    expect([...facts.keys()]).toEqual(addresses.slice(0, 2))
    expect(facts.get(addresses[0]!)).toMatchObject({ is_mintable: '1', is_honeypot: '0' })
    expect(facts.get(addresses[0]!)).not.toHaveProperty('holders')
    await expect(goplus('sandbox:wrong').tokenFacts({ blockchain: 'ethereum', addresses })).rejects.toThrow(
      'goplus: code 4012',
    )
  })
})

describe('which tokens are due', () => {
  const at = new Date()
  const due = () => risks.listDueTokens({ beforeMs: clock.nowMs - 1, limit: 10 })

  test('lists contracts of listed coins on known networks by rank, then requested tokens, each once', async () => {
    const contract = (blockchain: string, address: string) => ({ blockchain, address, decimals: null })
    await insertCoin(api.owner, {
      id: 'second',
      rank: 2,
      at,
      contracts: [
        contract('base', addressOf('USDC', 'base-wallet')),
        contract('solana', usdc.mint),
        contract('solana', 'wormhole:So11111111'),
      ],
    })
    await insertCoin(api.owner, {
      id: 'first',
      rank: 1,
      at,
      contracts: [contract('ethereum', addressOf('USDC')), contract('tron', 'TXYZ')],
    })
    await insertCoin(api.owner, {
      id: 'gone',
      rank: null,
      at,
      delistedAt: at,
      contracts: [contract('ethereum', addressOf('DAI'))],
    })
    expect(await due()).toEqual([
      { blockchain: 'ethereum', address: addressOf('USDC') },
      { blockchain: 'base', address: addressOf('USDC', 'base-wallet') },
      { blockchain: 'solana', address: usdc.mint },
    ])
    await risks.checkTokens({ tokens: [...(await due()), token('TAXED')] })
    expect(await due()).toEqual([])
    clock.nowMs += 60_000
    expect(await due()).toHaveLength(4)
    const { goplus } = deps.config.sources
    const config = { ...deps.config, sources: { goplus: goplus! } }
    const withoutSolana = createRiskActivities({ ...deps, config })
    expect(await withoutSolana.listDueTokens({ beforeMs: clock.nowMs, limit: 10 })).toHaveLength(3)
    await expect(
      withoutSolana.checkTokens({ tokens: [{ blockchain: 'solana', address: usdc.mint }] }),
    ).rejects.toThrow('no source for solana is on')
    expect(await risks.listDueTokens({ beforeMs: clock.nowMs, limit: 2 })).toHaveLength(2)
  })
})

describe('requesting a token', () => {
  test('that was never checked is charged, returns an empty report and starts one check', async () => {
    const { body, headers } = await report(ofContract('TAXED'))
    expect(body).toEqual({ results: [] })
    expect(headers.get('x-data-as-of')).toBeNull()
    const command = {
      workflow: 'checkTokens',
      workflow_id: `check-tokens/ethereum:${addressOf('TAXED')}`,
      input: { tokens: [token('TAXED')] },
    }
    expect(await outbox()).toEqual([command])
    await risks.checkTokens({ tokens: [token('TAXED')] })
    expect((await report(ofContract('TAXED'))).body.results.length).toBeGreaterThan(5)
    expect(await outbox()).toEqual([command])
    // A day later the stored result is returned, and a new check starts.
    clock.nowMs += 86_400_000 + 1
    expect((await report(ofContract('TAXED'))).body.results.length).toBeGreaterThan(5)
    expect(await outbox()).toEqual([command, command])
  })

  test('without enough credits starts no check', async () => {
    const poor = await api.newAccount({ credits: 4_999 })
    expect(await refusal(await api.get(ofContract('TAXED'), poor.key))).toEqual([
      429,
      'Insufficient credits for this request',
    ])
    expect(await outbox()).toEqual([])
  })

  test('by coin reports the first network with data in a fixed order; handles native and unknown coins', async () => {
    const at = new Date()
    const contract = (blockchain: string, address: string) => ({ blockchain, address, decimals: null })
    await insertCoin(api.owner, {
      id: 'usd-coin',
      at,
      contracts: [
        contract('base', addressOf('USDC', 'base-wallet')),
        contract('ethereum', addressOf('FERN')),
        contract('solana', usdc.mint),
      ],
    })
    await insertCoin(api.owner, { id: 'bitcoin', at })
    expect((await report('/token-risks?coinId=bitcoin')).body).toEqual({ results: [] })
    expect(await outbox()).toEqual([])
    expect((await report('/token-risks?coinId=usd-coin')).body).toEqual({ results: [] })
    const [command] = await outbox()
    const { tokens } = command!['input'] as { tokens: RiskToken[] }
    expect(tokens.map(({ blockchain }) => blockchain)).toEqual(['ethereum', 'base', 'solana'])
    await risks.checkTokens({ tokens })
    const { body } = await report('/token-risks?coinId=usd-coin')
    expect(body.risksProviderUrl).toContain('/8453/')
    expect(await refusal(await api.get('/token-risks?coinId=nope', key))).toEqual([
      404,
      "Coin with id 'nope' not found",
    ])
  })

  test.each([
    ['', 'coinId'],
    ['coinId=', 'coinId'],
    ['coinId=a%20b', 'coinId'],
    ['coinId=bitcoin&coinId=ethereum', 'coinId'],
    ['chain=ethereum', 'contractAddress'],
    [`contractAddress=${addressOf('USDC')}`, 'chain'],
    [`coinId=usd-coin&chain=ethereum&contractAddress=${addressOf('USDC')}`, 'coinId'],
    [`chain=Ethernet&contractAddress=${addressOf('USDC')}`, 'chain'],
    [`chain=solana&contractAddress=${addressOf('USDC')}`, 'chain'],
    [`chain=all&contractAddress=${addressOf('USDC')}`, 'chain'],
    ['chain=ethereum&contractAddress=0x1', 'contractAddress'],
    ['chain=ethereum&contractAddress=vitalik.eth', 'contractAddress'],
    // A wrong checksum.
    ['chain=ethereum&contractAddress=0xa0B86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'contractAddress'],
    ['coinId=bitcoin&sortBy=Severity', 'sortBy'],
    ['coinId=bitcoin&sortBy=score', 'sortBy'],
  ])('with "%s" returns 400 for %s', async (search, name) => {
    const response = await api.get(`/token-risks?${search}`, key)
    expect(await refusal(response)).toEqual([400, `Invalid parameter: ${name}`])
  })

  test('accepts upper case, lower case and the right checksum as the same contract', async () => {
    await risks.checkTokens({ tokens: [token('USDC')] })
    const lower = addressOf('USDC')
    const spellings = [
      lower,
      `0x${lower.slice(2).toUpperCase()}`,
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    ]
    for (const spelling of spellings)
      expect((await report(`/token-risks?chain=ethereum&contractAddress=${spelling}`)).body.score).toBe(48)
  })
})

afterAll(() => faults.clear())
