import { createHmac, hash } from 'node:crypto'
import { randomBase62 } from './base62.ts'

/** The secret of a share link, 30 characters of base62: 178 bits of entropy. */
const LENGTH = 30
export const SHARE_TOKEN_PATTERN = `^[0-9A-Za-z]{${LENGTH}}$`

const token = new RegExp(SHARE_TOKEN_PATTERN)

export const createShareToken = (): string => randomBase62(LENGTH)

export const isShareToken = (text: string): boolean => token.test(text)

export const isPasscode = (text: string): boolean => /^[0-9]{6}$/.test(text)

/** SHA-256, all that is stored of a token: with this much entropy a slow hash would add nothing. */
export const hashShareToken = (text: string): Buffer => hash('sha256', text, 'buffer')

/** A million passcodes are tried in no time by whoever has a hash of one: without the pepper this is none. */
export const keyPasscode = (input: { passcode: string; pepper: string }): Buffer =>
  createHmac('sha256', input.pepper).update(input.passcode).digest()
