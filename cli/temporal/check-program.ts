import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import release from './release.json' with { type: 'json' }

const EXPECTED: Readonly<Record<string, string>> = release.sha256

/** Rejects unless the file is the released program of this platform, byte for byte. */
export async function checkProgram(
  file: string,
  platform = `${process.platform}-${process.arch}`,
): Promise<void> {
  const expected = EXPECTED[platform]
  if (expected === undefined) throw new Error(`no checksum is known for ${platform}`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const found = hash.digest('hex')
  if (found !== expected)
    throw new Error(`it is not the released program (sha256 ${found}, expected ${expected})`)
}
