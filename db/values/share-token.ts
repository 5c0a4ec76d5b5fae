import { createHmac, hash } from 'node:crypto'
import { randomBase62 } from './base62.ts'

/** The secret of a share link, 30 characters of base62: 178 bits of entropy. */
const LENGTH = 30
export const SHARE_TOKEN_PATTERN = `^[0-9A-Za-z]{${LENGTH}}$`

const token = new RegExp(SHARE_TOKEN_PATTERN)

export const createShareToken = (): string => randomBase62(LENGTH)

export const isShareToken = (text: string): boolean => token.test(text)

export const isPasscode = (text: string): boolean => /^[0-9]{6}$/.test(text)

/** Only this SHA-256 is stored: with so much entropy in the token, a slow hash would add nothing. */
export const hashShareToken = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Keyed with a pepper, because a plain hash of one of a million passcodes is cracked at once. */
export const keyPasscode = (input: { passcode: string; pepper: string }): Buffer =>
  createHmac('sha256', input.pepper).update(input.passcode).digest()
