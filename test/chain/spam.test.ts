import { describe, expect, test } from 'vitest'
import { foldSymbol, spamReason } from '../../activities/chain/spam.ts'

const MAJORS = new Set(['BTC', 'ETH', 'USDT', 'USDC', 'DAI', 'WBTC', 'POL'].map(foldSymbol))
const judge = (symbol: string | null, name: string | null, more: object = {}) =>
  spamReason({ symbol, name, known: false, receivers: 1, isNft: false, ...more }, MAJORS)

describe('a token that no list knows', () => {
  test.each([
    ['$ aUSDC.org', 'Visit to claim'],
    ['LV', 'LineVault.IO'],
    ['ACCESS', '! AAVE.asia'],
    ['polygon (claim-page.vercel.app)', 'POL'],
    ['TOP', 'solshiba .top'],
    ['tickets', '@ Something.to'],
    ['TG', 'call @SomebodyHere'],
    ['5000$Gift', 'for you'],
    ['FREE', '免费空投'],
    ['LONG', 'a sentence of a name '.repeat(6)],
    ['clаim', 'with a Cyrillic letter'],
  ])('advertises as %s, %s', (symbol, name) => {
    expect(judge(symbol, name)).toBe('advertises')
  })

  test.each([
    ['USDC', 'USD Coin'],
    ['U S D C', 'spaces'],
    ['ÚSDC', 'accent'],
    ['UЅDС', 'Cyrillic'],
    ['ꓴꓢꓓС', 'Lisu and Cyrillic'],
    ['ꓪᏴꓔᏟ', 'Lisu and Cherokee'],
    ['ΕΤΗ', 'Greek'],
    ['USꓸDT', 'a sign of another script'],
    ['USDC.е', 'a Cyrillic letter after the point'],
    ['XYZ', 'ꓔether USD'],
    ['ЕТН', 'all Cyrillic'],
  ])('impersonates as %s (%s)', (symbol, name) => {
    expect(judge(symbol, name)).toBe('impersonates')
  })

  test.each([
    ['USDC.e', 'Bridged USDC'],
    ['BTC.b', 'Bitcoin on Avalanche'],
    ['αETH', 'alpha'],
    ['РУБЛЬ', 'a word of its own script'],
    ['TON', 'Token Токен'],
    ['万国链', 'another one'],
    ['crvFRAX-f', 'Curve.fi Factory Pool: alUSD/FRAX'],
    ['yvCurve', 'yearn.finance Curve.fi yDAI'],
    ['TURBO2', 'Turbo 2.0'],
    ['MRB', 'Mr. Bear'],
    ['stETH.v2', 'Staked.vault with an end that is no public suffix'],
    [null, null],
  ])('is no spam as %s, %s', (symbol, name) => {
    expect(judge(symbol, name)).toBeNull()
  })

  test('is spam if it came to many at once', () => {
    expect([judge('ABC', 'Token', { receivers: 25 }), judge('ABC', 'Token', { receivers: 24 })]).toEqual([
      'multisend',
      null,
    ])
  })

  test('may have a bait in its name as a collection of NFTs, but no address', () => {
    expect(judge('RAF', 'Raffle Rewards', { isNft: true })).toBeNull()
    expect(judge('RAF', 'raffle-rewards.xyz', { isNft: true })).toBe('advertises')
    expect(judge('USDC', 'USD Coin', { isNft: true })).toBeNull()
  })
})

test('a known token is never spam', () => {
  expect(judge('IO', 'io.net', { known: true })).toBeNull()
  expect(judge('UЅDС', 'claim', { known: true, receivers: 1_000 })).toBeNull()
})
