import { randomBytes } from 'node:crypto'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random characters, each of 5.95 bits. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length)
    // 248 = 4 * 62: bytes above it would make some characters likelier than others.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62]
  return text
}
