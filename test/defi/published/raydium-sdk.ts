import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { base58 } from '@scure/base'
import { type Address, getProgramDerivedAddress } from '@solana/kit'
import { loadWith, standIn } from './stand-ins.ts'

// Raydium's SDK, of which tests use layouts, seeds and arithmetic. It asks for all of web3.js, of which these need keys.

/** An integer of the SDK. */
export interface Numeral {
  toString: () => string
}
interface Layout {
  span: number
  encode: (value: object, into: Uint8Array) => number
  decode: (data: Uint8Array) => any
}
type Seeds = (program: SdkKey, ...more: any[]) => { publicKey: { seeds: Uint8Array[]; program: SdkKey } }

export interface RaydiumSdk {
  MAINNET_PROGRAM_ID: { CLMM: SdkKey }
  AmmConfigLayout: Layout
  PoolInfoLayout: Layout
  PositionInfoLayout: Layout
  TickArrayLayout: Layout
  getPdaPersonalPositionAddress: Seeds
  getPdaTickArrayAddress: Seeds
  LiquidityMath: {
    getAmountsFromLiquidity: (
      price: Numeral,
      lower: Numeral,
      upper: Numeral,
      liquidity: Numeral,
      roundUp: boolean,
    ) => { amountA: Numeral; amountB: Numeral }
  }
  PoolUtils: { updatePoolRewardInfos: (of: object) => Promise<any[]> }
  PositionUtils: {
    GetPositionFees: (...of: any[]) => { tokenFeeAmountA: Numeral; tokenFeeAmountB: Numeral }
    GetPositionRewards: (...of: any[]) => Numeral[]
  }
  SqrtPriceMath: {
    getSqrtPriceX64FromTick: (tick: number) => Numeral
    getTickFromSqrtPriceX64: (price: Numeral) => number
  }
  TickUtils: { getTickArrayStartIndexByTick: (tick: number, spacing: number) => number }
}

export class SdkKey {
  static default = new SdkKey('1'.repeat(32))
  static findProgramAddressSync = (seeds: Uint8Array[], program: SdkKey) => [{ seeds, program }, 255]
  bytes: Uint8Array
  constructor(of: string | Uint8Array) {
    this.bytes = typeof of === 'string' ? base58.decode(of) : Uint8Array.from(of)
  }
  toBuffer = () => Buffer.from(this.bytes)
  toBase58 = () => base58.encode(this.bytes)
  toString = () => this.toBase58()
  equals = (other: SdkKey) => other.toBase58() === this.toBase58()
}

const requireOfSdk = createRequire(
  import.meta.url.replace(/test\/.*/, 'node_modules/@raydium-io/raydium-sdk/x'),
)
const STAND_INS: Record<string, object> = {
  '@solana/web3.js': standIn({ PublicKey: SdkKey }),
  '@solana/spl-token': standIn({ TOKEN_PROGRAM_ID: SdkKey.default }),
}
export const sdk: RaydiumSdk = loadWith(
  '@raydium-io/raydium-sdk/dist/index.js',
  (name) => STAND_INS[name] ?? null,
)
const Integer = requireOfSdk('bn.js') as new (text: string) => Numeral

export const numeral = (of: bigint | number): Numeral => new Integer(String(of))

/** Values as the SDK has them: integers beyond 32 bits are its own. */
export const inNumerals = (of: unknown): any =>
  typeof of === 'bigint'
    ? numeral(of)
    : Array.isArray(of)
      ? of.map(inNumerals)
      : of !== null && typeof of === 'object' && Object.getPrototypeOf(of) === Object.prototype
        ? Object.fromEntries(Object.entries(of).map(([name, value]) => [name, inNumerals(value)]))
        : of

/** The bytes of an account, behind those by which Anchor tells its kind, which the SDK leaves out. */
export function stored(kind: string, layout: Layout, value: object): Uint8Array {
  const data = Buffer.alloc(layout.span)
  layout.encode(inNumerals(value), data)
  data.set(createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8))
  return data
}

/** The address that a function of the SDK would derive. */
export async function derived({ publicKey }: ReturnType<Seeds>): Promise<string> {
  const { seeds, program } = publicKey
  const [address] = await getProgramDerivedAddress({ programAddress: program.toBase58() as Address, seeds })
  return address
}
