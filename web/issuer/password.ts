import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** OWASP's first choice for argon2id: 19 MiB and two passes, 0.09 s of a processor. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** The same characters typed on another keyboard are the same password. */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8')

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Hashes with argon2id. The text has the parameters and the salt (PHC string). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: bytesOf(password), nonce, tagLength: TAG_BYTES, ...COST })
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** Whether `password` has this hash. Throws on a text that is no hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!parts) throw new Error('this is no hash of a password')
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [nonce, tag] = parts.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  const found = await derive('argon2id', {
    message: bytesOf(password),
    nonce,
    tagLength: tag.length,
    memory,
    passes,
    parallelism,
  })
  return timingSafeEqual(found, tag)
}

/** The hash of nobody's password: a check against it takes as long as any other. */
export const NOBODYS_HASH: Promise<string> = hashPassword(randomBytes(32).toString('hex'))
