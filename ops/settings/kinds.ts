import { z } from 'zod'
import { parseEvmAddress } from '../../db/values/wallet-address.ts'
import { isSafeUrl } from './is-safe-url.ts'

// Parsers for variables. An error message continues after the name of the variable and says what to give. It
// shows the given text unless that may be secret: addresses may contain passwords and keys.

const MIN_SECRET_LENGTH = 16
const MIN_COOKIE_SECRET_LENGTH = 32

export const text = z.string()

export const oneOf = <const T extends string>(...values: readonly [T, T, ...T[]]) =>
  z.enum(values, {
    error: ({ input }) => `is "${String(input)}": give ${values.map((value) => `"${value}"`).join(' or ')}`,
  })

const numeral = (isGood: (number: number) => boolean, wanted: string) =>
  z
    .string()
    .refine((given) => /^\d+(\.\d+)?$/.test(given) && isGood(Number(given)), {
      error: ({ input }) => `is "${String(input)}": give ${wanted}`,
    })
    .transform(Number)

export const between = (least: number, most: number) =>
  numeral(
    (number) => Number.isInteger(number) && number >= least && number <= most,
    `a whole number from ${least} to ${most}`,
  )

export const whole = (most: number) => between(0, most)

/** 0: any free port. */
export const port = whole(65_535)

export const positive = (most: number) =>
  numeral((number) => number > 0 && number <= most, `a number above 0 and at most ${most}`)

const address = (protocols: RegExp, error: string) =>
  z.string().refine((given) => protocols.test(URL.parse(given)?.protocol ?? ''), { error })

export const webAddress = address(
  /^https?:$/,
  'is not a web address: give one that begins with https:// or http://',
)

export const databaseAddress = address(
  /^postgres(ql)?:$/,
  'is not a database address: give postgres://USER:PASSWORD@HOST:PORT/DATABASE',
)

export const mailServer = address(
  /^smtps?:$/,
  'is not a mail server: give smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587',
)

/** A web address to which paths are appended. */
export const baseAddress = webAddress.transform((given) => given.replace(/\/+$/, ''))

export const safeAddress = webAddress
  .refine((given) => URL.canParse(given) && isSafeUrl(new URL(given)), {
    error: 'is not safe: give an address that begins with https://, or one on this machine',
  })
  .transform((given) => given.replace(/\/+$/, ''))

export const hostAndPort = z.string().regex(/^[^\s/]+:\d{1,5}$/, {
  error: ({ input }) => `is "${String(input)}": give HOST:PORT`,
})

export const secret = z.string().min(MIN_SECRET_LENGTH, {
  error: `is too short: give ${MIN_SECRET_LENGTH} characters or more`,
})

/** `kid:secret`, comma-separated. */
export const cookieSecrets = z
  .string()
  .transform((given) =>
    given.split(',').map((item) => {
      const [kid = '', ...rest] = item.split(':')
      return { kid, secret: rest.join(':') }
    }),
  )
  .refine(
    (list) =>
      new Set(list.map(({ kid }) => kid)).size === list.length &&
      list.every((one) => one.kid !== '' && one.secret.length >= MIN_COOKIE_SECRET_LENGTH),
    {
      error: `is wrong: give KID:SECRET, comma-separated, each KID once, each SECRET of ${MIN_COOKIE_SECRET_LENGTH} characters or more`,
    },
  )

/** `path=USDC`, comma-separated. */
export const pathPrices = z
  .string()
  .refine(
    (given) =>
      given
        .split(',')
        .every((item) => /^\/[^=,]*=\d{1,6}(\.\d{1,6})?$/.test(item) && Number(item.split('=')[1]) >= 0.001),
    {
      error: ({ input }) =>
        `is "${String(input)}": give PATH=USDC, comma-separated, each at least 0.001 USDC with at most six decimals`,
    },
  )
  .transform(
    (given) => new Map(given.split(',').map((item) => item.split('=') as [path: string, usdc: string])),
  )

/** Hosts as URLs have them, comma-separated: without the default port of http and https. */
export const hostList = z
  .string()
  .transform((given) => given.split(',').map((host) => host.trim()))
  .refine((hosts) => hosts.every((host) => /^[^\s/@?#]+$/.test(host) && URL.canParse(`http://${host}`)), {
    error: ({ input }) => `is "${String(input)}": give HOST or HOST:PORT, comma-separated`,
  })
  .transform(
    (hosts) =>
      new Set(hosts.flatMap((host) => [new URL(`http://${host}`).host, new URL(`https://${host}`).host])),
  )

/** What an operator says of the plan of a node. */
export interface HostUnits {
  aDay: number
  /** null: as the vendor's free plan */
  aSecond: number | null
}

/** `HOST=UNITS` or `HOST=UNITS@RATE`, comma-separated. */
export const hostUnits = z
  .string()
  .refine((given) => given.split(',').every((item) => /^[^\s=,/]+=\d{1,15}(@\d{1,9})?$/.test(item.trim())), {
    error: ({ input }) =>
      `is "${String(input)}": give HOST=UNITS or HOST=UNITS@RATE, comma-separated, each a whole number`,
  })
  .transform(
    (given) =>
      new Map(
        given.split(',').map((item) => {
          const [host = '', given] = item.trim().split('=')
          const [aDay, aSecond] = (given ?? '').split('@')
          const units: HostUnits = {
            aDay: Number(aDay),
            aSecond: aSecond === undefined ? null : Number(aSecond),
          }
          return [host, units] as const
        }),
      ),
  )

/** `NAME=NUMBER` for some of the names, comma-separated. */
export const numbersOf = <const Name extends string>(names: readonly Name[], most: number) =>
  z
    .string()
    .refine(
      (given) =>
        given.split(',').every((item) => {
          const [name = '', number = ''] = item.trim().split('=')
          return (
            (names as readonly string[]).includes(name) && /^[1-9]\d*$/.test(number) && Number(number) <= most
          )
        }),
      {
        error: ({ input }) =>
          `is "${String(input)}": give NAME=NUMBER, comma-separated, with names of ${names.join(', ')} and whole numbers from 1 to ${most}`,
      },
    )
    .transform(
      (given) =>
        Object.fromEntries(
          given.split(',').map((item) => {
            const [name = '', number] = item.trim().split('=')
            return [name, Number(number)]
          }),
        ) as Partial<Record<Name, number>>,
    )

export const evmAddress = z.string().refine((given) => parseEvmAddress(given) !== null, {
  error: ({ input }) => `is "${String(input)}": give 0x and 40 hexadecimal digits, as a wallet shows it`,
})

export const walletKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, {
  error: 'is not a private key: give 0x and 64 hexadecimal digits',
})
