import { z } from 'zod'
import { parseInstant } from '../db/values/time.ts'
import { parseEvmAddress, parseWalletAddress, WALLET_PATTERN } from '../db/values/wallet-address.ts'
import { invalidParameter } from './errors.ts'
import { oneOf } from './reasons.ts'

/** JSON Schema of a parameter in OpenAPI. The parser may be stricter. */
type Description = Record<string, unknown>

const MAX_PAGE = 2_147_483_647
const DIGITS = /^\d{1,10}$/

/** What the error to the client says: the end of "It must be ..", or a whole sentence about the text. */
type Reason = string | ((text: string) => string)

const reasonFor = (reason: Reason, text: string): string =>
  typeof reason === 'string' ? `It must be ${reason}` : reason(text)

/**
 * A query or path parameter: one string, parsed by `read`, which returns undefined for an invalid value.
 * `isChoice`: in a path, such a value is a wrong parameter (400) and not an unknown id (404).
 */
export function param<T>(
  read: (text: string) => T | undefined,
  { reason, ...description }: Description & { reason: Reason },
  { isChoice = false } = {},
) {
  return z
    .string()
    .transform((text, context): T => {
      const value = read(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: reasonFor(reason, text), params: { isChoice } })
      return z.NEVER
    })
    .meta(description)
}

/** Digits only: no sign, point, exponent, space or other script. */
export function integerParam(range: {
  minimum: number
  maximum: number
  description?: string
  example?: number
}) {
  const { minimum, maximum } = range
  return param(
    (text) => {
      const value = DIGITS.test(text) ? Number(text) : NaN
      return value >= minimum && value <= maximum ? value : undefined
    },
    { type: 'integer', ...range, reason: `a whole number from ${minimum} to ${maximum}` },
  )
}

/** 1-based page number, 1 when absent. */
export const page = () =>
  integerParam({ minimum: 1, maximum: MAX_PAGE, description: 'Page number, from 1' }).default(1)

/** Page size, 20 when absent. */
export const limit = (maximum = 1_000) =>
  integerParam({ minimum: 1, maximum, description: 'Items per page' }).default(20)

/** `true` or `false`; `numeric` also allows 1 and 0. */
export function booleanParam(options: { default: boolean; numeric?: true; description?: string }) {
  const spellings = options.numeric ? ['true', 'false', '1', '0'] : ['true', 'false']
  return param((text) => (spellings.includes(text) ? text === 'true' || text === '1' : undefined), {
    enum: spellings,
    reason: (text) => oneOf(spellings, text),
    ...(options.description && { description: options.description }),
  }).default(options.default)
}

/** One of the values, case-sensitive. */
export function enumParam<const T extends string>(values: readonly T[], description?: string) {
  return param(
    (text) => values.find((value) => value === text),
    {
      enum: [...values],
      reason: (text) => oneOf(values, text),
      ...(description && { description }),
    },
    { isChoice: true },
  )
}

/**
 * Comma-separated list. `readItem` parses each item; an invalid or empty item makes the whole list invalid.
 * Items with the same key (default: the same value) count once, in the order of their first occurrence.
 */
export function listParam<T>(options: {
  readItem: (text: string) => T | undefined
  keyOf?: (item: T) => unknown
  /** JSON Schema of one item, and why a text is none. */
  item: Description & { reason: Reason }
  maxItems?: number
  description?: string
  /** In JSON it is a text too. OpenAPI calls a list in a URL an array. */
  inBody?: boolean
}) {
  const { readItem, keyOf = (item: T) => item, maxItems = 1_000, inBody = false } = options
  const { reason, ...item } = options.item
  return param(
    (text) => {
      const items = new Map<unknown, T>()
      const parts = text.split(',')
      if (parts.length > maxItems) return undefined
      for (const part of parts) {
        const value = readItem(part)
        if (value === undefined) return undefined
        items.set(keyOf(value), items.get(keyOf(value)) ?? value)
      }
      return [...items.values()]
    },
    {
      ...(inBody ? { type: 'string' } : { type: 'array', items: item, minItems: 1, maxItems }),
      reason: (text) => {
        const parts = text.split(',')
        if (parts.length > maxItems) return `It must have at most ${maxItems} items`
        const wrong = parts.findIndex((part) => readItem(part) === undefined)
        const inItem = parts.length === 1 ? '' : `In item ${wrong + 1}: `
        return `${inItem}${reasonFor(reason, parts[wrong]!)}`
      },
      ...(options.description && { description: options.description }),
    },
  )
}

/** Comma-separated values of an enumeration. */
export function enumListParam<const T extends string>(values: readonly T[], description?: string) {
  return listParam<T>({
    readItem: (text) => values.find((value) => value === text),
    item: { type: 'string', enum: [...values], reason: (text) => oneOf(values, text) },
    ...(description && { description }),
  })
}

export const IDENTIFIER = '^[A-Za-z0-9][A-Za-z0-9._-]{0,143}$'
const identifier = (text: string) => (new RegExp(IDENTIFIER).test(text) ? text : undefined)
export const AN_IDENTIFIER =
  '1 to 144 letters, digits, dots, dashes and underscores, and start with a letter or digit'

/** Coin ids, symbols, slugs and the like: letters, digits, dot, dash, underscore. */
export const identifierParam = (description?: string) =>
  param(identifier, { pattern: IDENTIFIER, reason: AN_IDENTIFIER, ...(description && { description }) })

export const coinIdParam = (description: string) => identifierParam(description).meta({ example: 'bitcoin' })

/** Ids are time-ordered UUIDs. */
export const PORTFOLIO_EXAMPLE = '019ac2f1-7d35-7c02-9f6e-3b1f5a80c7d4'

export const portfolioIdParam = () =>
  identifierParam('Id of the portfolio, as returned when it was connected').meta({
    example: PORTFOLIO_EXAMPLE,
  })

/** `known` gives the identifier of what has other spellings. */
export const identifierListParam = (
  description?: string,
  { maxItems, known }: { maxItems?: number; known?: (text: string) => string | undefined } = {},
) =>
  listParam({
    readItem: (text) => known?.(text) ?? identifier(text),
    item: { type: 'string', pattern: IDENTIFIER, reason: AN_IDENTIFIER },
    ...(maxItems !== undefined && { maxItems }),
    ...(description && { description }),
  })

export const A_CURRENCY = 'the code of a currency in GET /currencies'
export const unknownCurrency = () => invalidParameter('currency', `It must be ${A_CURRENCY}`)

/**
 * Currency code in upper or lower case, converted to upper case. The handler checks whether the currency
 * exists.
 */
export const currencyParam = () =>
  param((text) => (/^[A-Za-z0-9]{2,10}$/.test(text) ? text.toUpperCase() : undefined), {
    pattern: '^[A-Za-z0-9]{2,10}$',
    reason: A_CURRENCY,
    description: 'Currency of the values',
    example: 'EUR',
  }).default('USD')

/** Free text without control and format characters, in Unicode NFC. */
export const textParam = (options: { maxLength: number; description?: string }) =>
  param(
    (text) => {
      const wellFormed = text !== '' && text.length <= options.maxLength && !/[\p{C}\uFFFD]/u.test(text)
      return wellFormed ? text.normalize('NFC') : undefined
    },
    {
      minLength: 1,
      maxLength: options.maxLength,
      reason: `1 to ${options.maxLength} characters without control characters`,
      ...(options.description && { description: options.description }),
    },
  )

/** Plain decimal, kept as text so that nothing is rounded. */
export const decimalParam = (description?: string) =>
  param((text) => (/^-?\d{1,30}(\.\d{1,30})?$/.test(text) ? text : undefined), {
    type: 'number',
    reason: 'a decimal number without an exponent',
    ...(description && { description }),
  })

/** Calendar date (UTC midnight) or RFC 3339 timestamp with its zone. */
export const instantParam = (description = 'YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone') =>
  param((text) => parseInstant(text) ?? undefined, {
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    reason: 'a date (YYYY-MM-DD) or an RFC 3339 timestamp with its zone',
    description,
    example: '2026-10-01',
  })

/** Calendar date, as its UTC midnight. */
export const dateParam = (description: string) =>
  param((text) => (new RegExp(DATE).test(text) ? (parseInstant(text) ?? undefined) : undefined), {
    format: 'date',
    pattern: DATE,
    reason: 'a date (YYYY-MM-DD)',
    description,
    example: '2026-10-01',
  })
const DATE = '^\\d{4}-\\d{2}-\\d{2}$'

/** Unix seconds. */
export const unixSecondsParam = (description = 'Unix time in seconds') =>
  param(
    (text) =>
      /^\d{1,12}$/.test(text) && Number(text) <= 253_402_300_799 ? new Date(Number(text) * 1_000) : undefined,
    {
      type: 'integer',
      minimum: 0,
      maximum: 253_402_300_799,
      reason: 'a Unix time in seconds',
      description,
      example: 1_790_812_800,
    },
  )

/** The demo wallet of the sandbox: the first account of the test mnemonic of Ethereum tools. */
export const WALLET_EXAMPLE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** EVM address, converted to lower case. Mixed case must match its EIP-55 checksum. */
export const addressParam = (description = 'EVM address; mixed case must match its EIP-55 checksum') =>
  param((text) => parseEvmAddress(text) ?? undefined, {
    pattern: ADDRESS_PATTERN,
    reason: AN_ADDRESS,
    description,
    example: WALLET_EXAMPLE,
  })

export const AN_ADDRESS = 'an EVM address (0x and 40 hexadecimal digits; mixed case with its EIP-55 checksum)'

/** Spellings without a checksum, because a pattern cannot verify one. */
const ADDRESS_PATTERN = '^0x([0-9a-f]{40}|[0-9A-F]{40})$'

export const BASE58 = '[1-9A-HJ-NP-Za-km-z]'

const WALLET =
  'EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all`'

/** Canonical address of a wallet on any network (see parseWalletAddress). withNetworks checks the network. */
export const walletParam = (description = WALLET) =>
  param((text) => parseWalletAddress(text)?.address, {
    pattern: `^${WALLET_PATTERN}$`,
    reason: `an ${WALLET}`,
    description,
    example: WALLET_EXAMPLE,
  })

/**
 * Hash of a transaction: hexadecimal with 0x (EVM) or without (Bitcoin), converted to lower case; or a base58
 * signature (Solana) or digest (Sui), which are case-sensitive.
 */
export const transactionHashParam = (description?: string) =>
  param(
    (text) => {
      if (/^(0x)?[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase()
      return new RegExp(`^(${BASE58}{80,88}|${BASE58}{43,44})$`).test(text) ? text : undefined
    },
    {
      pattern: `^((0x)?[0-9a-fA-F]{64}|${BASE58}{80,88}|${BASE58}{43,44})$`,
      reason: 'the hash of a transaction',
      example: '0x4f4b8b4fd3d7c0e1c7a1f2f9c6b5a3d2e1f00918273645546372819a0b1c2d3e',
      ...(description && { description }),
    },
  )
