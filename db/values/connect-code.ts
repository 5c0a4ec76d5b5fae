import { hash } from 'node:crypto'
import { randomBase62 } from './base62.ts'

/** The one-time code of a connection: 40 characters of base62, 238 bits of entropy. */
const LENGTH = 40
export const CONNECT_CODE_PATTERN = `^[0-9A-Za-z]{${LENGTH}}$`

export const createConnectCode = (): string => randomBase62(LENGTH)

/** Only this SHA-256 is stored. */
export const hashConnectCode = (code: string): Buffer => hash('sha256', code, 'buffer')
