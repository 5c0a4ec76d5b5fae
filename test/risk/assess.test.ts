import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assess } from '../../activities/risk/assess.ts'
import { assessMint } from '../../activities/risk/assess-mint.ts'
import { riskReport } from '../../api/risk/risk-report.ts'
import { RISK_CHECKS, SEVERITIES } from '../../db/risk/catalogue.ts'

const FLAGS = [
  'is_honeypot',
  'owner_change_balance',
  'is_airdrop_scam',
  'cannot_sell_all',
  'hidden_owner',
  'can_take_back_ownership',
  'selfdestruct',
  'honeypot_with_same_creator',
  'is_mintable',
  'personal_slippage_modifiable',
  'slippage_modifiable',
  'is_blacklisted',
  'transfer_pausable',
  'is_proxy',
  'is_whitelisted',
  'trading_cooldown',
  'external_call',
  'is_anti_whale',
]
const clean = {
  ...Object.fromEntries(FLAGS.map((name) => [name, '0'])),
  is_open_source: '1',
  buy_tax: '0',
  sell_tax: '0',
}

test('a token with only clear checks has score 0 and no findings', () => {
  const result = assess(clean)
  // Two further checks concern fees, one the source code.
  expect(result.clear).toHaveLength(FLAGS.length + 3)
  expect(result).toMatchObject({ detected: [], score: 0 })
})

test.each([
  [{ buy_tax: '0.01', sell_tax: '0' }, ['risk_basic_transfer_fee'], ['risk_excessive_fee']],
  [{ buy_tax: '0', sell_tax: '0.1' }, ['risk_basic_transfer_fee', 'risk_excessive_fee'], []],
  [{ buy_tax: '', sell_tax: '1' }, ['risk_basic_transfer_fee', 'risk_excessive_fee'], []],
  // One known fee does not prove that there is no fee.
  [{ buy_tax: '0', sell_tax: '' }, [], []],
  [{ buy_tax: '0', sell_tax: 'n/a' }, [], []],
  [{ is_open_source: '0' }, ['risk_unverified_source'], []],
  [{ is_open_source: '' }, [], []],
])('the facts %j give the findings %j and the clear checks %j', (facts, detected, clear) => {
  expect(assess(facts)).toMatchObject({ detected: detected.toReversed().toSorted(bySeverity), clear })
})
const bySeverity = (a: string, b: string) =>
  RISK_CHECKS.findIndex(({ key }) => key === a) - RISK_CHECKS.findIndex(({ key }) => key === b)

describe('unknown never counts as safe', () => {
  const value = fc.constantFrom('0', '1', '', undefined, 'maybe')
  const facts = fc
    .record(Object.fromEntries([...FLAGS, 'is_open_source'].map((name) => [name, value])))
    .map(
      (record) =>
        Object.fromEntries(Object.entries(record).filter(([, v]) => v !== undefined)) as Record<
          string,
          string
        >,
    )

  test('a check is found or clear only if the source says 1 or 0', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { detected, clear } = assess(given)
        const known = Object.values(given).filter((text) => text === '0' || text === '1')
        expect(detected.length + clear.length).toBe(known.length)
        expect(detected.filter((key) => clear.includes(key))).toEqual([])
      }),
    )
  })

  test('gives no score while honeypot or balance manipulation is unknown, unless a critical risk was found', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { score, detected } = assess(given)
        const critical = ['risk_honeypot', 'risk_balance_manipulation', 'risk_airdrop_scam']
        const enough = ['is_honeypot', 'owner_change_balance'].every((name) =>
          /^[01]$/.test(given[name] ?? ''),
        )
        expect(score !== null).toBe(enough || detected.some((key) => critical.includes(key)))
      }),
    )
  })

  test('a further finding never lowers the score, which stays within 0 and 100', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...FLAGS), (given, name) => {
        const before = assess({ ...given, [name]: '0' }).score
        const after = assess({ ...given, [name]: '1' }).score
        if (before !== null) expect(after).toBeGreaterThanOrEqual(before)
        if (after !== null) expect(after).toBeLessThanOrEqual(100)
      }),
    )
  })
})

test.each([
  [{ owner_address: '0x0000000000000000000000000000000000000000' }, true],
  [{ owner_address: '0x000000000000000000000000000000000000dEaD' }, true],
  [{ owner_address: '0x0000000000000000000000000000000000000000', hidden_owner: '1' }, false],
  [{ owner_address: '0x0000000000000000000000000000000000000000', can_take_back_ownership: '1' }, false],
  [{ owner_address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }, false],
  [{ owner_address: '' }, null],
  [{}, null],
])('the facts %j give ownershipRenounced %s', (facts, renounced) =>
  expect(assess(facts as Record<string, string>).ownershipRenounced).toBe(renounced),
)

test.each([
  [{ trust_list: '1' }, true],
  [{ trust_list: '0' }, false],
  [{}, null],
])('the facts %j give marketEndorsed %s', (facts, endorsed) =>
  expect(assess(facts as Record<string, string>).marketEndorsed).toBe(endorsed),
)

test('a report lists found risks first, or the most severe first on request', () => {
  const at = new Date()
  const { score, ...result } = assess({ ...clean, transfer_pausable: '1', is_anti_whale: '1' })
  const risk = {
    blockchain: 'ethereum' as const,
    address: '0x1',
    known: true,
    fetchedAt: at,
    checkedAt: at,
    score,
    ...result,
  }
  const plain = riskReport(risk, { bySeverity: false }).results
  expect(plain).toHaveLength(FLAGS.length + 3)
  expect(plain.slice(0, 3).map(({ key, value }) => [key, value])).toEqual([
    ['risk_pausable', 'true'],
    ['risk_trade_limit', 'true'],
    ['risk_honeypot', 'false'],
  ])
  const graded = riskReport(risk, { bySeverity: true }).results
  const ranks = graded.map(({ severity }) => SEVERITIES.indexOf(severity))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  const medium = graded.filter(({ severity }) => severity === 'medium')
  expect(medium[0]).toMatchObject({ key: 'risk_pausable', value: 'true' })
})

describe('a report on a mint', () => {
  const named = (...names: string[]) =>
    assessMint({ risks: names.map((name) => ({ name })), score_normalised: 7.4, lpLockedPct: 23.93 })

  test.each([
    ['Mutable metadata', 'risk_mutable_metadata'],
    ['Mint Authority still enabled', 'risk_centralized_mint'],
    ['Freeze Authority still enabled', 'risk_blacklist'],
    ['Large Amount of LP Unlocked', 'risk_unlocked_liquidity'],
    ['Low Liquidity', 'risk_low_liquidity'],
    ['Low amount of LP Providers', 'risk_low_liquidity'],
    ['Single holder ownership', 'risk_concentrated_holders'],
    ['Top 10 holders high ownership', 'risk_concentrated_holders'],
    ['High ownership', 'risk_concentrated_holders'],
    ['Copycat token', 'risk_copycat'],
    ['Creator history of rugged tokens', 'risk_serial_scam_creator'],
    ['Rugged', 'risk_rugged'],
    ['rugged', 'risk_rugged'],
  ])('maps "%s" to %s', (name, key) => expect(named(name)).toMatchObject({ detected: [key], unknown: [] }))

  test('clears nothing, has the score of its source, and returns unknown names', () => {
    expect(named('Low Liquidity', 'Alien technology', 'Low amount of LP Providers')).toEqual({
      detected: ['risk_low_liquidity'],
      clear: [],
      score: 7,
      marketEndorsed: null,
      ownershipRenounced: null,
      unknown: ['Alien technology'],
    })
    expect(assessMint({ risks: [], score_normalised: null, lpLockedPct: null }).score).toBeNull()
  })

  test('the catalogue contains every check of an assessment', () => {
    const keys = RISK_CHECKS.map(({ key }) => key as string)
    expect(new Set(keys).size).toBe(keys.length)
    const dangers = {
      ...Object.fromEntries(FLAGS.map((name) => [name, '1'])),
      is_open_source: '0',
      sell_tax: '1',
    }
    expect(assess(dangers).detected).toHaveLength(FLAGS.length + 3)
  })
})
