import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { pricedNetworks, walletPairs, withNetworks } from '../../api/networks.ts'
import {
  addressParam,
  booleanParam,
  currencyParam,
  decimalParam,
  enumListParam,
  enumParam,
  instantParam,
  limit,
  page,
  textParam,
  transactionHashParam,
  unixSecondsParam,
} from '../../api/params.ts'

const read = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value)
  return result.success ? result.data : 'refused'
}
const REFUSED = 'refused'

describe('page and limit', () => {
  test.each([
    ['1', 1],
    ['05', 5],
    ['2147483647', 2_147_483_647],
    [undefined, 1],
  ])('page %j is %j', (text, value) => expect(read(page(), text)).toBe(value))

  test.each([
    '0',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    ' 5 ',
    '+5',
    '',
    'NaN',
    'Infinity',
    '2147483648',
    '9007199254740993',
    '9223372036854775808',
    '1e30',
    '５',
    '5\n',
    ['1', '2'],
  ])('page %j is refused', (text) => expect(read(page(), text)).toBe(REFUSED))

  test('limit has a maximum', () => {
    expect(read(limit(100), '100')).toBe(100)
    expect(read(limit(100), '101')).toBe(REFUSED)
    expect(read(limit(100), undefined)).toBe(20)
    expect(read(limit(), '1000')).toBe(1_000)
  })
})

describe('enumerations and booleans', () => {
  test.each(['ASC', ' asc', '', 'asc,desc', '__proto__', 'constructor', 'x'.repeat(10_000), ['asc', 'asc']])(
    'enum %j is refused',
    (text) => expect(read(enumParam(['asc', 'desc']), text)).toBe(REFUSED),
  )
  test.each([
    ['true', true],
    ['false', false],
    [undefined, false],
    ['TRUE', REFUSED],
    ['1', REFUSED],
    ['yes', REFUSED],
    ['', REFUSED],
  ])('boolean %j is %j', (text, value) => expect(read(booleanParam({ default: false }), text)).toBe(value))
  test.each([
    ['1', true],
    ['0', false],
    ['2', REFUSED],
  ])('numeric boolean %j is %j', (text, value) =>
    expect(read(booleanParam({ default: false, numeric: true }), text)).toBe(value),
  )
  test('lists drop repeats and refuse unknown or empty items', () => {
    const types = enumListParam(['deposit', 'fee'])
    expect(read(types, 'fee,deposit,fee')).toEqual(['fee', 'deposit'])
    for (const text of ['', ',', 'fee,', 'fee,,deposit', 'fee, deposit', 'fee,other'])
      expect(read(types, text)).toBe(REFUSED)
  })
})

describe('dates', () => {
  test.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+14:00', '2026-01-01T13:04:05.000Z'],
    ['2026-01-02T03:04:05-12:00', '2026-01-02T15:04:05.000Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.500Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, iso) => expect((read(instantParam(), text) as Date).toISOString()).toBe(iso))

  test.each([
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-5',
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    '2026-01-02T03:04:05+25:00',
    '2026-01-02T03:04:05+14:60',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-02T03:04:05.1234567890Z',
    '2026-01-02T03:04Z',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '275760-09-13',
    '+275760-09-13T00:00:00Z',
    '294277-01-01',
    '1700000000',
    '1700000000000',
    '',
    'now',
    'today',
    'Infinity',
    '２０２６-01-02',
    '2026-01-02T03:04:05Z\n',
    ['2026-01-02'],
  ])('%j is refused', (text) => expect(read(instantParam(), text)).toBe(REFUSED))

  test('Unix seconds are digits up to the year 9999', () => {
    expect(read(unixSecondsParam(), '1735000000')).toEqual(new Date(1_735_000_000_000))
    for (const text of ['-1', '1.5', '253402300800', '', '1e9'])
      expect(read(unixSecondsParam(), text)).toBe(REFUSED)
  })
})

describe('EVM addresses', () => {
  const lower = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
  test.each([lower, `0x${lower.slice(2).toUpperCase()}`, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])(
    '%s is accepted in its lower-case form',
    (text) => expect(read(addressParam(), text)).toBe(lower),
  )
  test.each([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`])('%s is an address', (text) =>
    expect(read(addressParam(), text)).toBe(text),
  )
  test.each([
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    lower.slice(2),
    `0X${lower.slice(2)}`,
    lower.slice(0, 41),
    `${lower}0`,
    `0x${'g'.repeat(40)}`,
    ` ${lower}`,
    `${lower} `,
    `${lower}\n`,
    'vitalik.eth',
    '👩‍🚀.eth',
    '',
    '0x',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    [lower, lower],
  ])('%j is refused', (text) => expect(read(addressParam(), text)).toBe(REFUSED))
})

describe('text and numbers', () => {
  test.each(['', 'a\u0000b', 'a\nb', '\u202Eabc', 'a\u200Bb', '\uFEFFa', '\uFFFD', 'x'.repeat(101)])(
    'text %j is refused',
    (text) => expect(read(textParam({ maxLength: 100 }), text)).toBe(REFUSED),
  )
  test('text is normalized to NFC and may use any script', () => {
    expect(read(textParam({ maxLength: 100 }), 'e\u0301')).toBe('\u00e9')
    expect(read(textParam({ maxLength: 100 }), '比特币 🚀')).toBe('比特币 🚀')
  })
  test('decimals stay text', () => {
    expect(read(decimalParam(), '-0.10')).toBe('-0.10')
    for (const text of ['1e5', '', '.5', '5.', 'NaN', '0x1', '1,5'])
      expect(read(decimalParam(), text)).toBe(REFUSED)
  })
  test('currency codes become upper case, hashes lower case', () => {
    expect(read(currencyParam(), 'eur')).toBe('EUR')
    expect(read(currencyParam(), undefined)).toBe('USD')
    expect(read(currencyParam(), 'E R')).toBe(REFUSED)
    expect(read(transactionHashParam(), `0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    expect(read(transactionHashParam(), '0x12')).toBe(REFUSED)
  })
})

describe('networks', () => {
  const schema = withNetworks({})
  test.each([
    [{ connectionId: 'ethereum' }, ['ethereum']],
    [{ connectionId: 'ethereum,ethereum' }, ['ethereum']],
    [{ connectionId: 'all,ethereum,all' }, ['all', 'ethereum']],
    [{ blockchain: 'polygon-pos,base' }, ['polygon-wallet', 'base-wallet']],
    [{ connectionId: 'base-wallet', blockchain: 'all' }, ['base-wallet']],
    [{ connectionId: 'forceall' }, ['all']],
    [{ blockchain: 'base-wallet' }, ['base-wallet']],
    [{ connectionId: 'Arbitrum One,ARBONE,arbitrum-one' }, ['arbitrum-wallet']],
    [
      { connectionId: 'ERC20,BEP20,MATIC,OP,AVAXC,SOL,BTC' },
      [
        'ethereum',
        'binancesmartchain',
        'polygon-wallet',
        'optimism-wallet',
        'avalanche-wallet',
        'solana',
        'bitcoin',
      ],
    ],
    [{ blockchain: 'binance-smart-chain,optimistic-ethereum' }, ['binancesmartchain', 'optimism-wallet']],
  ])('%j selects %j', (query, networks) => expect(read(schema, query)).toEqual({ networks }))

  test.each([
    [{}, 'connectionId'],
    ...['', ',', 'ethereum,', 'ethereum,,base-wallet', 'ethereum, base-wallet', 'ALL', 'unknown'].map(
      (connectionId) => [{ connectionId }, 'connectionId'],
    ),
    ...['ethereum,unknown', 'constructor', '__proto__', 'a\0', Array(10_000).fill('x').join()].map(
      (connectionId) => [{ connectionId }, 'connectionId'],
    ),
    [{ connectionId: ['ethereum', 'ethereum'] }, 'connectionId'],
  ] as [unknown, string][])('%j is refused by name', (query, name) =>
    expect(schema.safeParse(query).error?.issues[0]?.path[0]).toBe(name),
  )

  test('all has its own price', () => {
    expect(pricedNetworks(['all', 'ethereum'])).toEqual(['all', 'one'])
  })

  const a = `0x${'a'.repeat(40)}`
  test('wallets are pairs, and two spellings of one pair count once', () => {
    expect(read(walletPairs(), `base-wallet:${a},base:${a.replace(/a/g, 'A')},all:${a}`)).toEqual([
      { network: 'base-wallet', address: a },
      { network: 'all', address: a },
    ])
  })
  test.each([
    '',
    a,
    `:${a}`,
    'ethereum:',
    `ethereum:${a}:x`,
    `nope:${a}`,
    `ethereum:${a},`,
    `ethereum:${a.slice(1)}`,
  ])('wallets %j are refused', (text) => expect(read(walletPairs(), text)).toBe(REFUSED))
  test('more than 1,000 wallets are refused', () => {
    const many = Array.from({ length: 1_001 }, (_, i) => `ethereum:0x${i.toString(16).padStart(40, '0')}`)
    expect(read(walletPairs(), many.slice(0, 1_000).join())).toHaveLength(1_000)
    expect(read(walletPairs(), many.join())).toBe(REFUSED)
    expect(read(walletPairs(), Array(1_001).fill(many[0]).join())).toBe(REFUSED)
  })
})
