import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SOLANA_PROTOCOLS } from '../../../activities/defi/solana/protocols.ts'
import { STAKE_POOL_PROGRAMS, STAKE_POOLS } from '../../../activities/defi/solana/stake-pool-list.ts'
import { keyOf } from '../../../sandbox/solana/tokens.ts'
import { runs } from '../../setup/runs.ts'
import { readSolana } from '../solana-reader.ts'

// The layout of the stake pool program's own client. Its bundle for browsers needs no other package.

interface PublicKey {
  toBase58: () => string
}
interface Client {
  STAKE_POOL_PROGRAM_ID: PublicKey & { constructor: new (text: string) => PublicKey }
  StakePoolLayout: {
    encode: (pool: object, into: Uint8Array) => number
    decode: (data: Uint8Array) => { totalLamports: { constructor: new (text: string) => object } }
  }
}
const bundle = readFileSync('node_modules/@solana/spl-stake-pool/dist/index.iife.min.js', 'utf8')
const client = runInNewContext(`${bundle}; solanaStakePool`, {
  // Parts of the bundle have a Buffer of their own.
  Buffer: Object.assign(Object.create(Buffer), { isBuffer: (of: unknown) => of instanceof Uint8Array }),
  TextEncoder,
  TextDecoder,
  Uint8Array,
  URL,
  fetch,
  self: {},
  setTimeout,
}) as Client
const PublicKeyOf = client.STAKE_POOL_PROGRAM_ID.constructor
const Numeral = client.StakePoolLayout.decode(Buffer.alloc(611)).totalLamports.constructor
const key = (text: string) => new PublicKeyOf(text)
const number = (of: bigint) => new Numeral(String(of))

const OWNER = keyOf('owner')
const { token: JITO_SOL, pool: JITO } = STAKE_POOLS.jito[0]!
const jito = SOLANA_PROTOCOLS.find(({ id }) => id === 'jito')!
const ALL = Object.values(STAKE_POOLS).flat()

interface PoolState {
  /** 31 keys and fees, of which a reading needs one */
  keys: readonly string[]
  fee: { numerator: bigint; denominator: bigint }
  hasOptional: boolean
  totalLamports: bigint
  poolTokenSupply: bigint
}

function encoded(of: PoolState, mint = JITO_SOL): Uint8Array {
  const data = Buffer.alloc(611)
  const [a, b, c] = of.keys.map(key)
  const fee = { numerator: number(of.fee.numerator), denominator: number(of.fee.denominator) }
  const optional = of.hasOptional ? b : null
  client.StakePoolLayout.encode(
    {
      accountType: 1,
      manager: a,
      staker: b,
      stakeDepositAuthority: c,
      stakeWithdrawBumpSeed: 254,
      validatorList: a,
      reserveStake: b,
      poolMint: key(mint),
      managerFeeAccount: c,
      tokenProgramId: a,
      totalLamports: number(of.totalLamports),
      poolTokenSupply: number(of.poolTokenSupply),
      lastUpdateEpoch: number(700n),
      lockup: { unixTimestamp: number(0n), epoch: number(0n), custodian: b },
      epochFee: fee,
      nextEpochFee: of.hasOptional ? fee : null,
      preferredDepositValidatorVoteAddress: optional,
      preferredWithdrawValidatorVoteAddress: optional,
      stakeDepositFee: fee,
      stakeWithdrawalFee: fee,
      nextStakeWithdrawalFee: of.hasOptional ? fee : null,
      stakeReferralFee: 0,
      solDepositAuthority: optional,
      solDepositFee: fee,
      solReferralFee: 0,
      solWithdrawAuthority: optional,
      solWithdrawalFee: fee,
      nextSolWithdrawalFee: of.hasOptional ? fee : null,
      lastEpochPoolTokenSupply: number(1n),
      lastEpochTotalLamports: number(2n),
    },
    data,
  )
  return data
}

const read = (tokens: Record<string, bigint>, account: { owner: string; data: Uint8Array } | null) =>
  readSolana(jito, {
    account: OWNER,
    slot: 1,
    epoch: 700,
    slotIndex: 0,
    slotsInEpoch: 432_000,
    time: 1_772_000_000,
    tokens,
    accounts: account ? [{ address: JITO, lamports: 1n, ...account }] : [],
  })

const SOME: PoolState = {
  keys: ['a', 'b', 'c'].map(keyOf),
  fee: { numerator: 1n, denominator: 1_000n },
  hasOptional: false,
  totalLamports: 15n * 10n ** 15n,
  poolTokenSupply: 12n * 10n ** 15n,
}
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

test('a token is its share of the pool that the program stores, rounded down', async () => {
  const publicKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes))
  const states = fc.record({
    keys: fc.array(publicKeys, { minLength: 3, maxLength: 3 }),
    fee: fc.record({ numerator: u64, denominator: u64 }),
    hasOptional: fc.boolean(),
    totalLamports: u64,
    poolTokenSupply: u64,
  })
  await fc.assert(
    fc.asyncProperty(states, u64, fc.constantFrom(...STAKE_POOL_PROGRAMS), async (state, tokens, owner) => {
      const { positions, unknown } = await read({ [JITO_SOL]: tokens }, { owner, data: encoded(state) })
      const { totalLamports, poolTokenSupply } = state
      const raw = poolTokenSupply === 0n ? 0n : (tokens * totalLamports) / poolTokenSupply
      expect(unknown).toEqual([])
      expect(positions).toEqual(
        raw === 0n
          ? []
          : [
              {
                id: JITO_SOL,
                name: 'JitoSOL',
                poolAddress: JITO,
                healthRate: null,
                unlockAt: null,
                endAt: null,
                assets: [{ role: 'staked', token: null, raw }],
              },
            ],
      )
    }),
    { numRuns: runs({ short: 100, long: 5_000 }) },
  )
})

test('an account of another program or token, or none, leaves the token unknown', async () => {
  const [owner] = STAKE_POOL_PROGRAMS as [string]
  const reasonOf = async (account: Parameters<typeof read>[1]) =>
    await read({ [JITO_SOL]: 5n }, account).catch((error: Error) => error.message)
  expect(await reasonOf({ owner: OWNER, data: encoded(SOME) })).toContain(`${JITO} belongs to ${OWNER}`)
  expect(await reasonOf({ owner, data: encoded(SOME, OWNER) })).toContain(`${JITO} is no pool of JitoSOL`)
  expect(await reasonOf({ owner, data: new Uint8Array(9) })).toContain('no account of this layout')
  expect(await reasonOf(null)).toContain(`no account ${JITO}`)
})

test('a wallet to which no such token came asks the node for nothing', async () => {
  expect(await read({ [keyOf('mint')]: 5n }, null)).toEqual({ positions: [], unknown: [] })
})

describe('the list of pools', () => {
  test('names the program of the client first', () => {
    expect(STAKE_POOL_PROGRAMS[0]).toBe(client.STAKE_POOL_PROGRAM_ID.toBase58())
  })
  test('has each token and each pool once, as public keys', () => {
    const keys = ALL.flatMap(({ token, pool }) => [token, pool])
    expect(new Set(keys).size).toBe(keys.length)
    for (const one of keys) expect(base58.decode(one)).toHaveLength(32)
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length)
  })
})
