import { createRequire } from 'node:module'
import { join } from 'node:path'
import { loadWith, standIn } from './stand-ins.ts'

// Kamino's SDK, of which tests use layouts, addresses and arithmetic.

const packages = join(process.cwd(), 'node_modules')
const requireOf = (name: string) => createRequire(join(packages, name, 'any.js'))
/** What the SDK gets as it is. */
const REAL = ['bn.js', 'decimal.js', '@coral-xyz/borsh', 'buffer', '@solana/kit']
const isReal = (name: string) => REAL.includes(name) || name.startsWith('node:') || name === 'fs'
// It is instance of a class of the one package that the SDK does not name.
const bufferLayout = requireOf('@coral-xyz/borsh')('buffer-layout') as object

/** A number of decimal.js. */
export interface Decimal {
  div: (by: Decimal | string) => Decimal
  minus: (by: Decimal | string) => Decimal
  abs: () => Decimal
  toFixed: (digits: number) => string
  toNumber: () => number
}
interface Kind {
  discriminator: Uint8Array
  layout: {
    span: number
    encode: (value: object, into: Uint8Array, offset: number) => number
    decode: (data: Uint8Array) => any
  }
  decode: (data: Uint8Array) => any
}
interface Sdk {
  PROGRAM_ID: string
  Reserve: Kind
  Obligation: Kind
  LendingMarket: Kind
  UserMetadata: Kind
  userMetadataPda: (user: string) => Promise<[string, number]>
  KaminoReserve: { initialize: (...of: unknown[]) => object }
  KaminoObligation: {
    new (
      market: object,
      address: string,
      state: object,
      ...rates: Map<string, Decimal>[]
    ): {
      deposits: Map<string, { amount: Decimal }>
      borrows: Map<string, { amount: Decimal }>
      refreshedStats: Record<'borrowLiquidationLimit' | 'userTotalBorrowBorrowFactorAdjusted', Decimal>
    }
    getRatesForObligation: (...of: unknown[]) => {
      collateralExchangeRates: Map<string, Decimal>
      cumulativeBorrowRates: Map<string, Decimal>
    }
  }
}

export const DecimalOf = requireOf('@kamino-finance/klend-sdk')('decimal.js') as {
  new (of: string): Decimal
  set: (of: { precision: number }) => void
}
DecimalOf.set({ precision: 80 })
const Integer = requireOf('@kamino-finance/klend-sdk')('bn.js') as new (text: string) => object
export const sdk: Sdk = loadWith('@kamino-finance/klend-sdk/dist/index.js', (name) =>
  name === 'buffer-layout' ? bufferLayout : isReal(name) ? null : standIn(),
)

export const integer = (of: bigint | number): object => new Integer(String(of))

/** Values of an account where all is zero, with some of its own. */
export const valuesOf = (kind: Kind, own: (blank: any) => object): object => {
  const blank = kind.layout.decode(Buffer.alloc(kind.layout.span))
  return { ...blank, ...own(blank) }
}

export function stored(kind: Kind, own: (blank: any) => object): Uint8Array {
  const data = Buffer.alloc(8 + kind.layout.span)
  data.set(kind.discriminator)
  kind.layout.encode(valuesOf(kind, own), data, 8)
  return data
}
